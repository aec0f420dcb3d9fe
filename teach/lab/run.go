package lab

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"timerlab/teach/lab/grade"
)

const (
	keptOutput  = 64 << 10 // bytes of what a scheme prints
	keptRecords = 1 << 20  // bytes of the records of a stage
)

// Progress is called before each step of a long work.
type Progress func(done, total int, title string)

// Grade compiles the module with this program's own suite and checks each stage, which may take as long as limit.
// A module that does not compile has no points.
func (m *Module) Grade(ctx context.Context, o grade.Options, limit time.Duration, progress Progress) (*Report, error) {
	progress(0, 1, "building "+m.Package)
	p, unbuilt, err := m.build(ctx)
	if err != nil {
		return nil, err
	}
	if p == nil {
		r := m.report()
		r.Unbuilt = unbuilt
		return r, nil
	}
	return p.grade(ctx, o, limit, progress)
}

// grade checks the stages, each in a process of its own. The error is that of the context.
func (p *built) grade(ctx context.Context, o grade.Options, limit time.Duration, progress Progress) (*Report, error) {
	report, began := p.module.report(), time.Now()
	results := make([][]grade.Result, len(grade.Stages))
	for i, s := range grade.Stages {
		progress(i, len(grade.Stages), "stage "+s.Name+", "+s.Title)
		o.Patience, o.Loose = grade.Patience, grade.WrongClock(results[0])
		run := p.stage(ctx, grade.Task{Stage: i, Options: o}, limit)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		results[i] = run.results
		report.Stages[i].fill(run)
		report.Number = max(report.Number, run.number)
	}
	report.score(results)
	report.Seconds = time.Since(began).Seconds()
	return report, nil
}

// stageRun is what became of a child.
type stageRun struct {
	number  int // of the scheme
	results []grade.Result
	within  bool   // it ended while it checked the rule after these results
	ended   string // why it ended before the last rule, or ""
	output  string // what the scheme printed
}

// stage runs a child and reads its records. Whatever goes wrong there is a result of the stage.
func (p *built) stage(ctx context.Context, task grade.Task, timeout time.Duration) *stageRun {
	s, key := grade.Stages[task.Stage], []byte(rand.Text())
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var records head
	var output tail
	given, _ := json.Marshal(task) // numbers
	state, err := p.run(limited, fmt.Sprintf("%s\n%s", key, given), &records, &output)
	r := &stageRun{output: output.String()}
	if state == nil {
		r.ended = fmt.Sprintf("Your program did not start: %v.", err)
		return r
	}
	tooMuch := false // the child ended itself for the memory that it used
	written := 0     // by Main
	for line := range bytes.Lines(records.kept.Bytes()) {
		signature, line, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		var record grade.Record
		if string(signature) != grade.Sign(key, written, line) || json.Unmarshal(line, &record) != nil {
			continue // cut off, or not Main's
		}
		written++
		switch {
		case record.Result != nil && (len(r.results) == len(s.Rules) || record.Result.Rule != s.Rules[len(r.results)]):
			r.ended = "The records of this stage do not match its rules."
		case record.Result != nil:
			r.results = append(r.results, *record.Result)
		case record.TooMuch:
			tooMuch = true
		default:
			r.number = record.Number
		}
	}
	r.within = written > 0
	switch {
	case r.ended != "":
		r.results, r.within = nil, false
	case len(r.results) == len(s.Rules):
	case len(r.results) > 0 && r.results[len(r.results)-1].Hung():
		r.within = false
		r.ended = "An operation did not return, so the rest of this stage was not checked."
	case tooMuch:
		r.ended = fmt.Sprintf("Your scheme used more than %d MiB of memory.", grade.Memory>>20)
	case limited.Err() != nil:
		r.ended = fmt.Sprintf("The checks of this stage took longer than %v.", timeout)
	case records.full:
		r.ended = fmt.Sprintf("Your program wrote more than %d MiB where the results of the checks go.", keptRecords>>20)
	default:
		r.ended = r.crash(state)
	}
	return r
}

// studentLine is a line of a stack trace in the student's code.
var studentLine = regexp.MustCompile(`^\t.*@v0\.0\.0/(\S+\.go:\d+)`)

// crash explains the end of a child that crashed, with the places in the student's code, or that exited.
func (r *stageRun) crash(state *os.ProcessState) string {
	const most = 5 // lines
	when := ""
	if !r.within {
		when = " before the first rule"
	}
	var lines []string
	for line := range strings.Lines(r.output) {
		line = strings.TrimRight(line, "\n")
		begins := strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
		if at := studentLine.FindStringSubmatch(line); begins && len(lines) == 0 {
			lines = append(lines, line)
		} else if at != nil && len(lines) > 0 && len(lines) < most {
			lines = append(lines, "at "+at[1])
		}
	}
	if len(lines) == 0 {
		return fmt.Sprintf("Your program ended%s: %v. Does it call os.Exit?", when, state)
	}
	return fmt.Sprintf("Your program crashed%s:\n%s", when, strings.Join(slices.Compact(lines), "\n"))
}

// head keeps the first megabyte that is written. The write that exceeds it returns an error, which ends the copying.
type head struct {
	kept bytes.Buffer
	full bool
}

func (h *head) Write(p []byte) (int, error) {
	if h.full = h.full || h.kept.Len()+len(p) > keptRecords; h.full {
		return 0, io.ErrShortWrite
	}
	return h.kept.Write(p)
}

// tail keeps the end of what is written.
type tail struct{ kept bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	n, err := t.kept.Write(p)
	if more := t.kept.Len() - keptOutput; more > 0 {
		t.kept.Next(more)
	}
	return n, err
}

func (t *tail) String() string { return t.kept.String() }

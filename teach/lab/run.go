package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"timerlab/teach/lab/grade"
)

const keptOutput = 64 << 10 // bytes of what a scheme prints

// Progress is called before each step of a long work.
type Progress func(done, total int, title string)

// Grade compiles the module with this program's own suite and checks each stage, which may take as long as limit.
// A module that does not compile has no points.
func (m *Module) Grade(ctx context.Context, o grade.Options, limit time.Duration, progress Progress) (*Report, error) {
	progress(0, 1, "building "+m.Package)
	dir, err := os.MkdirTemp("", "lab")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	p, unbuilt, err := m.build(ctx, dir)
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

// grade checks the stages, each in a process of its own.
func (p *built) grade(ctx context.Context, o grade.Options, limit time.Duration, progress Progress) (*Report, error) {
	report, began := p.module.report(), time.Now()
	results := make([][]grade.Result, len(grade.Stages))
	for i, s := range grade.Stages {
		progress(i, len(grade.Stages), "stage "+s.Name+", "+s.Title)
		o.Patience, o.Loose = grade.Patience, grade.WrongClock(results[0])
		run, err := p.stage(ctx, grade.Task{Stage: i, Options: o}, limit)
		if err != nil {
			return nil, err
		}
		results[i] = run.results
		report.Stages[i].fill(run)
		report.Number = run.number
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

// stage runs a child, which writes its records to a file, and reads them. The child's scheme can
// read nothing of this process's environment.
func (p *built) stage(ctx context.Context, task grade.Task, timeout time.Duration) (*stageRun, error) {
	s := grade.Stages[task.Stage]
	task.Records = filepath.Join(p.dir, "stage"+s.Name)
	argument, _ := json.Marshal(task) // strings and numbers
	if err := os.WriteFile(task.Records, nil, 0o600); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var output tail
	child := exec.CommandContext(limited, p.binary, string(argument))
	child.Dir, child.Env, child.Stdout, child.Stderr = p.dir, []string{}, &output, &output
	child.Stdin, child.WaitDelay = strings.NewReader(p.key), time.Second
	runErr := child.Run()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if child.ProcessState == nil {
		return nil, runErr // it did not start
	}
	data, err := os.ReadFile(task.Records)
	if err != nil {
		return nil, err
	}
	r := &stageRun{output: output.String()}
	tooMuch := false // the child ended itself for the memory that it used
	written := 0     // by Main
	for line := range bytes.Lines(data) {
		signature, line, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		var record grade.Record
		if string(signature) != grade.Sign(p.key, written, line) || json.Unmarshal(line, &record) != nil {
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
	switch code := child.ProcessState.ExitCode(); {
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
	default:
		r.ended = r.crash(code)
	}
	return r, nil
}

// studentLine is a line of a stack trace in the student's code.
var studentLine = regexp.MustCompile(`^\t.*@v0\.0\.0/(\S+\.go:\d+)`)

// crash explains the end of a child that crashed, with the places in the student's code, or that exited.
func (r *stageRun) crash(code int) string {
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
		return fmt.Sprintf("Your program ended%s, with exit code %d. Does it call os.Exit?", when, code)
	}
	return fmt.Sprintf("Your program crashed%s:\n%s", when, strings.Join(slices.Compact(lines), "\n"))
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

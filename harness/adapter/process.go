// Package adapter puts the timers of another program behind the contract of package schemes. The program, an adapter, speaks
// the line protocol of harness/peers/adapters/README.md on its standard input and output: Open starts one, and Serve is one
// for any scheme.
package adapter

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

const (
	patience = 5 * time.Second // for an answer: a second is a long pause of a collector, and machines are shared
	longest  = 1 << 20         // bytes of an answer: 50,000 expiries
)

// Failure is an adapter that did not answer, or not as the protocol says. It broke the contract's rule Rule, hang or panic.
type Failure struct{ Rule, Got string }

func (f *Failure) Error() string { return f.Got }

// Breaks returns the rule and what happened.
func (f *Failure) Breaks() (rule, text string) { return f.Rule, f.Got }

// caught makes a *Failure that was panicked with the error.
func caught(err *error) {
	switch f := recover().(type) {
	case nil:
	case *Failure:
		*err = f
	default:
		panic(f)
	}
}

// process is a running adapter.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan string // its answers; closed at the end of its output
	errors tail        // what it wrote to standard error; read when it has ended
	failed *Failure    // nothing is asked after it
}

// startProcess starts a command. It is killed when ctx is done.
func startProcess(ctx context.Context, command []string) (p *process, err error) {
	p = &process{cmd: exec.CommandContext(ctx, command[0], command[1:]...), lines: make(chan string, 1)}
	p.cmd.Stderr = &p.errors
	p.cmd.WaitDelay = time.Second // a child of it may keep the pipe open
	ownGroup(p.cmd)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	go p.read(out)
	return p, nil
}

// read sends each line of the output to p.lines, and reads on when that is taken. It ends after a line that is too long.
func (p *process) read(out io.Reader) {
	defer close(p.lines)
	s := bufio.NewScanner(out)
	s.Buffer(nil, longest)
	for s.Scan() {
		p.lines <- s.Text()
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		p.lines <- tooLong
	}
}

const tooLong = "\n" // stands for such a line; no line contains it

// ask writes a line and returns the answer, which comes within a time, or panics with a *Failure.
func (p *process) ask(line string, within time.Duration) string {
	if p.failed != nil {
		panic(p.failed)
	}
	select {
	case early, open := <-p.lines:
		if open {
			p.fail("panic", "it wrote %.100q before it was asked %.100q", early, line)
		}
	default:
	}
	_, _ = io.WriteString(p.in, line+"\n") // if it has ended, it does not answer
	timeout := time.NewTimer(within)
	defer timeout.Stop()
	select {
	case answer, open := <-p.lines:
		switch {
		case !open:
			p.fail("panic", "it ended instead of answering %.100q", line)
		case answer == tooLong:
			p.fail("hang", "its answer to %.100q is longer than %d bytes", line, longest)
		}
		return printable(strings.TrimSuffix(answer, "\r"))
	case <-timeout.C:
		p.fail("hang", "it did not answer %.100q within %v", line, within)
	}
	return ""
}

// printable returns a text for a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
}

// fail ends the process, and panics with what happened and what the adapter wrote to standard error.
func (p *process) fail(rule, format string, args ...any) {
	p.end()
	text := fmt.Sprintf(format, args...)
	if said := strings.Join(strings.Fields(string(p.errors)), " "); said != "" {
		text += "; it says: " + printable(said)
	}
	p.failed = &Failure{rule, text}
	panic(p.failed)
}

// end kills the process and what it has started, once.
func (p *process) end() {
	if p.cmd.ProcessState != nil {
		return
	}
	killGroup(p.cmd)
	go func() { // lets read end, which may wait until its line is taken
		for range p.lines {
		}
	}()
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

// tail is the first bytes written to it and the last ones.
type tail string

func (t *tail) Write(b []byte) (int, error) {
	const most, gap = 200, " ... "
	*t += tail(b)
	if all := *t; len(all) > 2*most+len(gap) {
		*t = all[:most] + gap + all[len(all)-most:]
	}
	return len(b), nil
}

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
	"sync"
	"time"
)

const (
	patience   = 5 * time.Second // for an answer: a second is a long pause of a collector, and machines are shared
	longest    = 1 << 20         // bytes of an answer: 50,000 expiries
	someErrors = 200             // bytes of what the adapter wrote to standard error, first and last
)

// Failure is an adapter that did not answer, or not as the protocol says. It broke the contract's rule Rule, hang or panic.
type Failure struct{ Rule, Got string }

func (f *Failure) Error() string { return f.Got }

// Breaks returns the rule and what happened.
func (f *Failure) Breaks() (rule, text string) { return f.Rule, f.Got }

// process is a running adapter.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan string // its answers; closed at the end of its output
	errors tail
	failed *Failure // nothing is asked after it
}

// startProcess starts a command. It is killed when ctx is done.
func startProcess(ctx context.Context, command []string) (*process, error) {
	p := &process{cmd: exec.CommandContext(ctx, command[0], command[1:]...), lines: make(chan string, 1)}
	p.cmd.Stderr = &p.errors
	p.cmd.WaitDelay = time.Second // a child of it may keep the pipe open
	ownGroup(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	p.in = in
	go p.read(out)
	return p, nil
}

// read passes lines on. It stops reading when one is too long, and while nobody has asked for the next.
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

const tooLong = "\n" // is no line

// ask writes a line and returns the answer, which comes within a time, or panics with a *Failure.
func (p *process) ask(line string, within time.Duration) string {
	if p.failed != nil {
		panic(p.failed)
	}
	select {
	case early, open := <-p.lines:
		if open {
			p.fail("panic", "it wrote %q before it was asked %q", clip(early), clip(line))
		}
		p.fail("panic", "it ended before %q%s", clip(line), p.said())
	default:
	}
	_, _ = io.WriteString(p.in, line+"\n") // if it has ended, it does not answer
	timeout := time.NewTimer(within)
	defer timeout.Stop()
	select {
	case answer, open := <-p.lines:
		switch {
		case !open:
			p.fail("panic", "it ended instead of answering %q%s", clip(line), p.said())
		case answer == tooLong:
			p.fail("hang", "its answer to %q is longer than %d bytes", clip(line), longest)
		}
		return printable(strings.TrimSuffix(answer, "\r"))
	case <-timeout.C:
		p.fail("hang", "it did not answer %q within %v%s", clip(line), within, p.said())
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

// fail ends the process, and panics.
func (p *process) fail(rule, format string, args ...any) {
	p.failed = &Failure{rule, fmt.Sprintf(format, args...)}
	p.end()
	panic(p.failed)
}

// end kills the process and what it has started.
func (p *process) end() {
	killGroup(p.cmd)
	go func() { // a reader that waits with a line
		for range p.lines {
		}
	}()
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

// said is what the adapter wrote to standard error last.
func (p *process) said() string {
	time.Sleep(10 * time.Millisecond) // for what it writes when it ends
	if text := p.errors.String(); text != "" {
		return "; it says: " + text
	}
	return ""
}

// tail keeps the first bytes written to it and the last ones.
type tail struct {
	mu          sync.Mutex
	first, last []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := min(len(b), someErrors-len(t.first))
	t.first = append(t.first, b[:n]...)
	t.last = append(t.last, b[n:]...)
	t.last = t.last[max(0, len(t.last)-someErrors):]
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := string(t.first) + string(t.last)
	if len(t.last) == someErrors {
		text = string(t.first) + " … " + string(t.last)
	}
	return printable(strings.Join(strings.Fields(text), " "))
}

func clip(text string) string {
	const most = 100
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// Command bench measures timer schemes, judges the paper's claims about them and
// plots what it measured.
//
// A verb is a file that is named after it: its flags, and calls of libraries. Without a verb,
// root.go does the main job, whose sizes are in plans.go. The other files are what verbs share:
//
//	flags.go, shard.go, usage.go   kinds of flags, and errors in them
//	recorder.go                    the raw file that a verb measures into, or continues
//	children.go                    verbs that make every sample in a process of its own
//	kinds.go                       kinds of raw files, the verbs that report them and their pages
//	command.go, code.go            which command made a file, and of which code
//	progress.go                    what runs and how long is left
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"timerlab/harness/run"
)

// Exit codes, as bench --help lists them.
const (
	exitFailure     = 1   // anything that is not below
	exitUsage       = 2   // a bad flag, value or verb
	exitRegression  = 3   // a gate that results do not pass, or no verdict
	exitUnverified  = 4   // a scheme breaks the contract, or a run had a wrong outcome
	exitInterrupted = 130 // Ctrl-C; what was measured is kept
)

const exitCodes = `Exit codes: 0 success, 1 bad data or a failed read or write, 2 wrong usage,
3 a regression, a missing cell or no verdict on times, 4 a scheme breaks the contract or a run had a wrong outcome, 130 interrupted.`

var (
	errUnverified = errors.New("not verified")
	errRegression = errors.New("the gate failed")
	errNoVerdict  = errors.New("no verdict")
)

func main() {
	// The first interrupt ends the measuring after the present run; a second one ends
	// the process.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// execute runs the command line and returns the exit code.
func execute(ctx context.Context, args []string, out, errOut io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errOut)
	strictCompletion(root)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(errOut, "bench: %s\n", strings.ReplaceAll(err.Error(), context.Canceled.Error(), "interrupted"))
	switch {
	case errors.As(err, new(usageError)):
		return exitUsage
	case errors.Is(err, errRegression), errors.Is(err, errNoVerdict):
		return exitRegression
	case errors.Is(err, errUnverified), errors.Is(err, run.ErrOutcome):
		return exitUnverified
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitFailure
}

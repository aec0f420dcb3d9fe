// Command bench measures timer schemes, judges the paper's claims about them and
// plots what it measured.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"timerlab/harness/measure"
)

// Exit codes.
const (
	exitFailure     = 1   // anything that is not below
	exitUsage       = 2   // a bad flag, value or verb
	exitUnverified  = 4   // a scheme breaks the contract, or a run had a wrong outcome
	exitInterrupted = 130 // Ctrl-C; what was measured is kept
)

var errUnverified = errors.New("not verified")

func main() { os.Exit(run(os.Args[1:])) }

// run executes the command line. The first interrupt ends the measuring behind
// the present run; a second one ends the process.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	defer stop()
	root := newRoot()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "bench: %v\n", err)
	switch {
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, new(usageError)):
		return exitUsage
	case errors.Is(err, errUnverified), errors.Is(err, measure.ErrOutcome):
		return exitUnverified
	}
	return exitFailure
}

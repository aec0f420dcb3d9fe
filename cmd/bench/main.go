// Command bench measures timer schemes, judges the paper's claims about them and draws what it measured.
//
// Most verbs are a file that is named after them: flags, and calls of libraries. Without a verb,
// main.go does the main job. The other files are what verbs share:
//
//	flags.go      kinds of flags, and errors in them
//	request.go    what is to be measured, and the raw file that it is measured into
//	rounds.go     processes that measure a round each, of programs that are linked in other orders
//	emulate.go    run --instructions
//	children.go   peers and systems, which make every sample in a process of its own
//	kinds.go      kinds of raw files, and which code they are of
//	progress.go   what runs and how long is left
package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/harness/plan"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes/schemetest"
)

// Exit codes, as bench --help lists them.
const (
	exitFailure     = 1   // anything that is not below
	exitUsage       = 2   // a bad flag, value or verb, or a file that may not be replaced
	exitRegression  = 3   // a gate that results do not pass, or no verdict
	exitUnverified  = 4   // a scheme breaks the contract, or a run had a wrong outcome
	exitInterrupted = 130 // Ctrl-C; what was measured is kept
)

// failure is an error with its exit code.
type failure struct {
	error
	code int
}

func (f failure) Unwrap() error { return f.error }

var (
	errUnverified = failure{errors.New("not verified"), exitUnverified}
	errRegression = failure{errors.New("the gate failed"), exitRegression}
	errNoVerdict  = failure{errors.New("no verdict"), exitRegression}
	errPrinted    = errors.New("printed by the process that measured")
)

func main() {
	// The first interrupt ends the measuring after the present run; a second one ends the process.
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
	openAdapters.ctx = ctx
	defer closeAdapters()
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	if !errors.Is(err, errPrinted) {
		fmt.Fprintf(errOut, "bench: %s\n", strings.ReplaceAll(err.Error(), context.Canceled.Error(), "interrupted"))
	}
	var known failure
	switch {
	case errors.As(err, &known):
		return known.code
	case errors.Is(err, report.ErrNotOurs):
		return exitUsage
	case errors.Is(err, run.ErrOutcome):
		return exitUnverified
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitFailure
}

//go:embed help.txt
var helpText string

// verb returns a command with its texts in help.txt: how it is used, one line about it, more about it, and examples.
func verb(name string, args cobra.PositionalArgs, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	_, text, _ := strings.Cut(helpText, "\n= "+name)
	text, _, _ = strings.Cut(text, "\n\n= ")
	use, text, _ := strings.Cut(strings.TrimSuffix(text, "\n"), "\n")
	text, example, _ := strings.Cut(text, "\n\nExamples:\n")
	short, long, _ := strings.Cut(text, "\n\n")
	return &cobra.Command{Use: name + use, Short: short, Long: long, Example: example, Args: args, RunE: run}
}

// newRoot returns the command with its verbs. Without a verb it does the main job.
func newRoot() *cobra.Command {
	job := newRequest("bench")
	job.check = func(cmd *cobra.Command) error { return verifyAll(cmd, harness.Schemes, conforms, report.Text) }
	root := verb("bench", noArgs, func(cmd *cobra.Command, _ []string) error {
		raw, err := job.measure(cmd)
		if err != nil {
			return err
		}
		if err = reportFiles(cmd, []string{raw}, job.out, report.Text); err != nil {
			err = fmt.Errorf("%w; what was measured is in %s", err, raw)
		}
		return err
	})
	root.SilenceUsage, root.SilenceErrors = true, true
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return exclusive(cmd.ValidateFlagGroups()) }
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(err) })
	job.addTo(root)
	root.MarkFlagsMutuallyExclusive("full", "machine", "smoke")
	systems := newChildren("systems", systemsJob)
	systems.AddCommand(newResets())
	root.AddCommand(newList(), newVerify(), newRun(), newReport(), newClaims(), newChildren("peers", peersJob),
		systems, newTrace(), newPick(), newPage(), newLab(), newCheck(), newDoctor(), newReproduce(),
		newRound(), newSample(), newEmulated())
	root.AddCommand(verb("version", noArgs, func(cmd *cobra.Command, _ []string) error {
		m := results.ThisMachine()
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "timerlab commit %s %s %s/%s\n", m.Get("commit"), m.Get("go"),
			m.Get("goos"), m.Get("goarch"))
		return err
	}))
	// The library's exits with 0 if the verb is unknown.
	root.SetHelpCommand(verb("help", nil, func(_ *cobra.Command, args []string) error {
		verb, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 {
			return unknown("verb", strings.Join(args, " "), verbNames(root))
		}
		verb.InitDefaultHelpFlag()
		return verb.Help()
	}))
	return root
}

// defaultOut is where results go that are not meant to be kept.
const defaultOut = "results/local"

// addMainJob adds what bench measures without a verb, and its flags.
func addMainJob(r *request) {
	var full, machine, smoke bool
	var seed uint64
	var rounds int // 0: the plan's own
	r.flags.BoolVar(&full, "full", false, "measure more sizes in more rounds")
	r.flags.BoolVar(&machine, "machine", false, "measure what machines are compared by, in a quarter of an hour")
	r.flags.BoolVar(&smoke, "smoke", false, "measure tiny sizes only, to test that everything works")
	seedFlag(r.flags, &seed)
	roundsFlag(r.flags, &rounds, "7; 8 with --full, 6 with --machine")
	layoutsFlag(r)
	r.plan = func() (run.Plan, error) {
		size := plan.Quick
		switch {
		case full:
			size = plan.Full
		case machine:
			size = plan.Machine
		case smoke:
			size = plan.Smoke
		}
		if !full && !machine && !r.flags.Changed("layouts") {
			r.layouts.last = 4 // fewer than the rounds, as each build takes some seconds
		}
		p := size.Plan(seed)
		p.Rounds = cmp.Or(rounds, p.Rounds)
		return p, nil
	}
}

// conforms is the check of all schemes before the main job measures them. A test checks fewer.
var conforms = schemetest.VerifyShort

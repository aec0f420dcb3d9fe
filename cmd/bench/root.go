package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/harness/report"
	"timerlab/schemes/schemetest"
)

// newRoot returns the command with its verbs. Without a verb it does the main job.
func newRoot() *cobra.Command {
	job := mainJob{rec: recorder{parts: schemesCode}}
	root := &cobra.Command{
		Use:   "bench",
		Short: "Measure the seven timer schemes and judge what the paper says about them",
		Long: `Verify all schemes, measure the seven, judge every claim and the choice between
scheme 6 and scheme 7, and write raw results, figures and pages. Takes about two
minutes. --full takes about an hour and a quarter, most of it for schemes 6 and 7 with up
to a million timers.

` + exitCodes,
		Example:       "  bench\n  bench --full --rounds 5 --out results/mine\n  bench pick --preset idle-heartbeat",
		Args:          noArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return job.run(cmd) },

		SuggestionsMinimumDistance: 2,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(err) })
	f := root.Flags()
	job.rec.flags(f)
	f.BoolVar(&job.full, "full", false, "measure more sizes in more rounds")
	f.BoolVar(&job.smoke, "smoke", false, "measure tiny sizes only, to test that everything works")
	seedFlag(f, &job.seed)
	roundsFlag(f, &job.rounds, "7; 20 with --full")
	root.SetHelpCommand(newHelp())
	root.AddCommand(newList(), newVerify(), newRun(), newPlot(), newReport(), newClaims(), newPeers(), newSystems(),
		newTrace(), newPick(), newPage(), newLab(), newCheck(), newDoctor(),
		newReproduce(), newVersion())
	return root
}

// newHelp is the library's verb, but an unknown verb is an error.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [VERB]",
		Short:   "Show help for a verb",
		Example: "  bench help run",
		RunE: func(cmd *cobra.Command, args []string) error {
			verb, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noArgs(cmd.Root(), args)
			}
			verb.InitDefaultHelpFlag()
			return verb.Help()
		},
	}
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the module, the commit and the version of Go",
		Example: "  bench version",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), version())
			return err
		},
	}
}

// defaultOut is where results go that are not meant to be kept.
const defaultOut = "results/local"

// mainJob verifies, measures, judges and plots.
type mainJob struct {
	rec         recorder
	full, smoke bool
	seed        uint64
	rounds      uint64 // 0: the plan's own
}

func (j *mainJob) run(cmd *cobra.Command) error {
	if err := j.rec.begin(cmd); err != nil {
		return err
	}
	out, size := j.rec.out, quick
	switch {
	case j.full && j.smoke:
		return usagef("--full and --smoke are mutually exclusive")
	case j.full:
		size = full
	case j.smoke:
		size = smoke
	}
	if j.rounds > 0 {
		size.rounds = int(j.rounds)
	}
	if _, err := os.Stat(out); err != nil {
		if err := os.MkdirAll(out, 0o755); err != nil { // rather now than after the verifying
			return err
		}
		defer os.Remove(out) // if it is still empty
	}
	if err := verifyAll(cmd, harness.Schemes, schemetest.VerifyShort, report.Text); err != nil {
		return err
	}
	raw, err := j.rec.measure(cmd, size.plan(j.seed))
	if err != nil {
		return err
	}
	return whereKept(reportFiles(cmd, []string{raw}, out, report.Text), raw)
}

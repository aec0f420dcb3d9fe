package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness/report"
)

// newRoot returns the command with its verbs. Without a verb it does the main
// job.
func newRoot() *cobra.Command {
	job := mainJob{seed: 1}
	root := &cobra.Command{
		Use:   "bench",
		Short: "Measure the seven timer schemes and judge what the paper says of them",
		Long: `Verify all schemes, measure the seven, judge every claim and the choice between
scheme 6 and scheme 7, and write raw results, figures and pages. Takes about two
minutes; --full takes less than half an hour.`,
		Args:          noArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return job.run(cmd) },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(err) })
	root.CompletionOptions.DisableDefaultCmd = true
	root.Flags().StringVar(&job.out, "out", defaultOut, "folder for results")
	root.Flags().BoolVar(&job.full, "full", false, "measure more sizes in more rounds")
	root.Flags().BoolVar(&job.smoke, "smoke", false, "measure next to nothing, to see that all works")
	seedFlag(root.Flags(), &job.seed)
	roundsFlag(root.Flags(), &job.rounds, "samples of every cell (default the plan's own)")
	root.SetHelpCommand(newHelp())
	root.AddCommand(newList(), newVerify(), newRun(), newPlot(), newReport(), newClaims(), newPeers(), newSystems(), newTrace(), newPick())
	return root
}

// newHelp is the library's verb, but an unknown verb is an error.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Help about a verb",
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

// defaultOut is where results go that are not meant to be kept.
const defaultOut = "results/local"

// usageError marks an error as the user's.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

func usage(err error) error { return usageError{err} }

func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		return usagef("unknown verb %q, allowed %s", args[0], strings.Join(verbs(cmd), ", "))
	}
	return usagef("%s takes no argument, got %q", cmd.Name(), args[0])
}

func verbs(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			names = append(names, c.Name())
		}
	}
	return names
}

// mainJob verifies, measures, judges and plots.
type mainJob struct {
	out         string
	full, smoke bool
	seed        uint64
	rounds      uint64 // 0: the plan's own
}

func (j mainJob) run(cmd *cobra.Command) error {
	size := quick
	switch {
	case j.full && j.smoke:
		return usagef("--full and --smoke, allowed one of them")
	case j.full:
		size = full
	case j.smoke:
		size = smoke
	}
	if j.rounds > 0 {
		size.rounds = int(j.rounds)
	}
	if err := os.MkdirAll(j.out, 0o755); err != nil { // rather now than after the verifying
		return err
	}
	if err := verifyAll(cmd, nil); err != nil {
		return err
	}
	raw := filepath.Join(j.out, rawName("bench"))
	command := "go run ./cmd/bench" + changedFlags(cmd)
	err := measureInto(cmd, raw, command, size.plan(j.seed))
	if err == nil {
		err = reportFiles(cmd, []string{raw}, j.out, report.Text)
	}
	return kept(err, raw)
}

// kept says where the results are that an error, if it is one, interrupted.
func kept(err error, raw string) error {
	if err == nil {
		return nil
	}
	if _, statErr := os.Stat(raw); statErr != nil {
		return err
	}
	return fmt.Errorf("%w; what was measured is in %s", err, raw)
}

// rawName names a raw file by what made it and when, so that none is replaced.
func rawName(verb string) string {
	return fmt.Sprintf("%s-%s.txt", verb, time.Now().UTC().Format("20060102T150405Z"))
}

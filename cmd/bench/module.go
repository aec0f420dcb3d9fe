package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness/report"
	"timerlab/teach/lab"
)

// moduleJob grades the scheme of a student's module, or times it.
type moduleJob struct {
	dir     string
	times   bool
	timeout time.Duration
	number  int
}

func (j *moduleJob) flags(f *pflag.FlagSet) {
	f.StringVar(&j.dir, "module", "", "folder of a student's module to grade")
	f.BoolVar(&j.times, "time", false, "with --module: instead of grading, compare its speed with the reference's")
	f.IntVar(&j.number, "number", 0, "with --module: the scheme that the student was to write, 1 to 7 (default any)")
	f.DurationVar(&j.timeout, "timeout", 2*time.Minute, "with --module: the most that a stage, or the timing, may take")
}

// verifyFormats are the formats of both kinds of verifying.
func verifyFormats() []report.Format {
	all := slices.Clone(report.Formats)
	for _, f := range lab.Formats {
		if !slices.Contains(all, report.Format(f)) {
			all = append(all, report.Format(f))
		}
	}
	return all
}

// refused returns an error if a flag was given that only a module has a use for.
func (j *moduleJob) refused(cmd *cobra.Command, format report.Format) error {
	for _, name := range []string{"time", "timeout", "number"} {
		if cmd.Flags().Changed(name) {
			return usagef("--%s needs --module", name)
		}
	}
	if !slices.Contains(report.Formats, format) {
		return usagef("--format %s needs --module", format)
	}
	return nil
}

func (j *moduleJob) run(cmd *cobra.Command, short bool, format lab.Format) error {
	switch {
	case cmd.Flags().Changed("schemes"):
		return usagef("--module and --schemes are mutually exclusive")
	case j.dir == "":
		return usagef("--module is empty (use the folder of a student's module)")
	case j.timeout <= 0:
		return usagef("--timeout %v is out of range (use a time above 0)", j.timeout)
	case cmd.Flags().Changed("number") && (j.number < 1 || j.number > 7):
		return usagef("invalid --number %d (use the number of a scheme, 1 to 7)", j.number)
	case !slices.Contains(lab.Formats, format):
		return usagef("--format %s is not for --module (have %s)", format, menu(lab.Formats, ", "))
	case j.times && (short || format != lab.Text || j.number != 0):
		return usagef("--time takes no --short, --format or --number")
	}
	m, err := lab.Open(cmd.Context(), j.dir)
	switch {
	case errors.Is(err, lab.ErrModule):
		return usage(fmt.Errorf("--module: %w", err))
	case err != nil:
		return err
	case j.times:
		return m.Time(cmd.Context(), cmd.OutOrStdout(), j.timeout)
	}
	graded, err := j.grade(cmd, m, short)
	if err != nil {
		return err
	}
	if err := graded.Write(cmd.OutOrStdout(), format); err != nil || format.Hosted() {
		return err
	}
	if graded.Unbuilt != "" {
		return fmt.Errorf("%s does not compile", graded.Module)
	}
	if !graded.Passed() {
		return fmt.Errorf("%s has %d of %d points: %w", graded.Module, graded.Score, graded.Max, errUnverified)
	}
	return nil
}

// grade builds and grades a module. One that does not compile has no points.
func (j *moduleJob) grade(cmd *cobra.Command, m *lab.Module, short bool) (*lab.Report, error) {
	bar := newProgress(cmd)
	defer bar.finish()
	bar.run(0, 1, "building "+m.Package)
	p, err := m.Build(cmd.Context())
	if unbuilt := new(lab.UnbuiltError); errors.As(err, &unbuilt) {
		return m.Unbuilt(unbuilt), cmd.Context().Err()
	}
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return p.Grade(cmd.Context(), lab.Options{Short: short, Timeout: j.timeout, Number: j.number}, bar.run)
}

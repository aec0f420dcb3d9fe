package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/harness/report"
	"timerlab/harness/results/units"
	"timerlab/schemes"
	"timerlab/schemes/schemetest"
	"timerlab/teach/lab"
	"timerlab/teach/lab/grade"
)

// verifyJob checks schemes, or grades the scheme of a student's module.
type verifyJob struct {
	schemes []*schemes.Info
	format  report.Format
	short   bool
	module  string // its folder
	timeout time.Duration
	page    string // a file of what came of adapters
}

func newVerify() *cobra.Command {
	j := &verifyJob{schemes: harness.Schemes}
	cmd := verb("verify", nil, j.run)
	f := cmd.Flags()
	schemesFlag(f, &j.schemes, " (default all); with --module the scheme that the student was to write (default any)")
	f.BoolVar(&j.short, "short", false, "fewer settings and shorter runs of each rule, as in go test -short")
	all := append(slices.Clone(report.Formats), report.Format(lab.Gradescope))
	formatFlag(f, &j.format, all, "`format` of the output: "+menu(report.Formats, ",")+"; with --module "+
		menu(lab.Formats, ","))
	pathFlag(f, &j.module, "module", "", "`folder` of a student's module to grade")
	addFlag(f, &j.timeout, "timeout", "2m", "with --module: the most `time` that a stage may take", duration)
	pathFlag(f, &j.page, "page", "", "print the page of a `file` with what this has printed of adapters")
	return cmd
}

func (j *verifyJob) run(cmd *cobra.Command, args []string) error {
	if len(args) > 0 || j.page != "" || cmd.Flags().ArgsLenAtDash() == 0 {
		return j.runAdapter(cmd, args)
	}
	if cmd.Flags().Changed("module") {
		return j.runModule(cmd, string(j.format))
	}
	if cmd.Flags().Changed("timeout") {
		return usagef("--timeout needs --module")
	}
	if !slices.Contains(report.Formats, j.format) {
		return usagef("--format %s needs --module", j.format)
	}
	check := schemetest.Verify
	if j.short {
		check = schemetest.VerifyShort
	}
	return verifyAll(cmd, j.schemes, check, j.format)
}

// verifyAll checks schemes with the conformance suite and prints the verdicts. It takes one
// scheme after another, since a rule counts the process's allocations.
func verifyAll(cmd *cobra.Command, infos []*schemes.Info, check func(*schemes.Info) error, format report.Format) error {
	bar := newProgress(cmd)
	defer bar.finish()
	var said []string // of what is not simply verified
	kept, broken := 0, 0
	table := report.NewTable("scheme", "verdict", "violation")
	for i, info := range infos {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		bar.run(i, len(infos), "verifying "+info.Name)
		switch violation := check(info); {
		case violation == nil:
			kept++
			table.Add(info.Name, "ok", "")
		case errors.Is(violation, schemetest.ErrAllocates):
			said = append(said, info.Name+": verified, allocates: it keeps every rule of the contract but allocation")
			table.Add(info.Name, "ok, allocates", violation.Error())
		default:
			broken++
			said = append(said, violation.Error())
			table.Add(info.Name, report.Wrong(), violation.Error())
		}
	}
	bar.finish()
	var err error
	if format == report.Text {
		if broken == 0 {
			said = append(said, units.Plural(kept, "scheme")+" verified: every rule of the contract is kept")
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.Join(said, "\n"))
	} else {
		err = table.Write(cmd.OutOrStdout(), format)
	}
	if broken > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d schemes: %w", broken, len(infos), errUnverified))
	}
	return err
}

// runModule grades a module and prints the result.
func (j *verifyJob) runModule(cmd *cobra.Command, format string) error {
	if !slices.Contains(lab.Formats, format) {
		return usagef("--format %s is not for --module (have %s)", format, menu(lab.Formats, ", "))
	}
	number := 0 // of the scheme that the student was to write; 0: any of the seven
	if given := cmd.Flags().Lookup("schemes"); given.Changed {
		switch number = j.schemes[0].Number; {
		case len(j.schemes) > 1:
			return usagef("--schemes %v: a module has one scheme", given.Value)
		case !j.schemes[0].IsBase():
			return usagef("--schemes %v: not one of the paper's seven", given.Value)
		}
	}
	m, err := lab.Open(cmd.Context(), j.module)
	if errors.Is(err, lab.ErrModule) {
		refusal := usage(fmt.Errorf("--module: %w", err))
		switch format {
		case lab.Text:
			return refusal
		case lab.Gradescope: // as for code that does not compile
			return lab.Refused(err).Write(cmd.OutOrStdout(), format)
		}
		return errors.Join(lab.Refused(err).Write(cmd.OutOrStdout(), format), refusal)
	}
	if err != nil {
		return err
	}
	bar := newProgress(cmd)
	graded, err := m.Grade(cmd.Context(), grade.Options{Short: j.short, Number: number}, j.timeout, bar.run)
	bar.finish()
	if err != nil {
		return err
	}
	if err := graded.Write(cmd.OutOrStdout(), format); err != nil || format == lab.Gradescope {
		return err // its autograders expect that grading a wrong scheme succeeds
	}
	if graded.Unbuilt != "" {
		return fmt.Errorf("%s does not build", graded.Module)
	}
	if !graded.Passed() {
		return fmt.Errorf("%s has %d of %d points: %w", graded.Module, graded.Score, graded.Max, errUnverified)
	}
	return nil
}

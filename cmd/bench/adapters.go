package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/harness/adapter"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/schemes/schemetest"
)

// adapterTime is how long a library on a virtual clock is checked, by and large.
const adapterTime = 50 * time.Second

// runAdapter checks the library of an adapter, or prints the page of libraries that were checked.
func (j *verifyJob) runAdapter(cmd *cobra.Command, command []string) error {
	f := cmd.Flags()
	for _, name := range []string{"schemes", "module", "timeout"} {
		if f.Changed(name) {
			return usagef("--%s is not for adapters", name)
		}
	}
	switch {
	case j.page != "" && len(command) > 0:
		return usagef("--page takes no command, and %q is one", strings.Join(command, " "))
	case j.page != "":
		return timersPage(cmd.OutOrStdout(), j.page)
	case len(command) == 0: // an empty variable must not check ours instead
		return usagef("no command after -- (use one that runs an adapter)")
	case f.ArgsLenAtDash() != 0:
		return usagef("unexpected argument %q (put -- before the command of an adapter)", command[0])
	case j.format != report.Text && j.format != report.JSON:
		return usagef("--format %s is not for adapters (have text, json)", j.format)
	}
	a, err := adapter.Open(cmd.Context(), command...)
	if err != nil {
		return usage(fmt.Errorf("%s is no adapter: %w", strings.Join(command, " "), err))
	}
	defer a.Close()
	bar := newProgress(cmd)
	l := &report.Library{Name: a.Name, Version: a.Version, Date: time.Now().Format(time.DateOnly)}
	verdicts, err := a.Verify(cmd.Context(), j.short, adapterTime, bar.run)
	bar.finish()
	if err = cmp.Or(cmd.Context().Err(), err); err != nil {
		return err
	}
	for _, v := range verdicts {
		l.Rules = append(l.Rules, outcomeOf(v))
	}
	if j.format == report.JSON {
		err = report.WriteJSON(cmd.OutOrStdout(), l)
	} else {
		err = l.Write(cmd.OutOrStdout())
	}
	if checked, broken := l.Count(); err == nil && broken > 0 {
		return fmt.Errorf("%s breaks %d of %d rules: %w", l.Name, broken, checked, errUnverified)
	}
	return err
}

// openAdapters are those that a flag has opened, until the command ends.
var openAdapters struct {
	ctx context.Context // of the command
	all []*adapter.Adapter
}

func closeAdapters() {
	for _, a := range openAdapters.all {
		a.Close()
	}
	openAdapters.all = nil
}

// adaptersFlag adds the flag for adapters that are measured, and opens them.
func adaptersFlag(r *request, to *[]*adapter.Adapter) {
	addFlag(r.flags, to, "adapter", "",
		"`commands` of adapters with other timers, separated by commas; lifetimes alone are measured",
		func(text string) (all []*adapter.Adapter, err error) {
			var others []string // for the program of peers, which runs elsewhere
			for command := range strings.SplitSeq(text, ",") {
				words := absolute(strings.Fields(command))
				a, err := adapter.Open(cmp.Or(openAdapters.ctx, context.Background()), words...)
				if err == nil {
					openAdapters.all = append(openAdapters.all, a)
					part := results.AdapterPart + a.Name + "="
					switch _, taken := harness.Find(a.Name); {
					case !a.Promises("run"):
						err = errors.New("it does not promise run")
					case taken == nil || slices.ContainsFunc(r.parts, func(p string) bool { return strings.HasPrefix(p, part) }):
						err = fmt.Errorf("there is another %s", a.Name)
					}
					r.parts = append(r.parts, part+a.Digest())
					others = append(others, a.Name+"="+strings.Join(words, " "))
				}
				if err != nil {
					return nil, fmt.Errorf("%q is no adapter that is measured: %w", command, err)
				}
				all = append(all, a)
			}
			return all, os.Setenv(adapter.Variable, strings.Join(others, ","))
		})
}

// absolute returns a command that is the same in every folder.
func absolute(command []string) []string {
	for i, word := range command {
		if path, err := exec.LookPath(word); err == nil && i == 0 {
			word = path
		}
		if _, err := os.Stat(word); err == nil {
			command[i], _ = filepath.Abs(word)
		}
	}
	return command
}

func outcomeOf(v schemetest.Verdict) report.RuleOf {
	r := report.RuleOf{Rule: v.Name}
	switch {
	case v.Lacks != "":
		r.Outcome = "not promised: " + v.Lacks
	case v.Violation != nil:
		r.Outcome = report.Broken
		if r.Lines = append(r.Lines, v.Violation.Got); v.Violation.Rule != v.Name {
			r.Lines[0] += " (" + v.Violation.Rule + ")"
		}
		r.Lines = append(r.Lines, v.Violation.Trail...)
	case v.Programs == 0:
		r.Outcome = "not checked: no time was left, or the machine was too busy"
	default:
		r.Outcome = "kept, " + units.Plural(v.Programs, "program")
		if v.Loose {
			r.Outcome += ", but for the ticks"
		}
	}
	return r
}

// timersPage writes the page of a file of libraries.
func timersPage(w io.Writer, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	all, err := report.ReadTimers(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return report.TimersPage(all, commandText("verify", "--page", path)).Write(w, report.Markdown)
}

package main

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness"
	"timerlab/harness/gate"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// value is a flag that a function parses. Its text is what the user wrote, or the default.
type value[T any] struct {
	to    *T
	kind  string
	parse func(text string) (T, error)
	text  string
}

func (v *value[T]) Set(text string) (err error) {
	v.text = text
	*v.to, err = v.parse(text)
	return err
}
func (v *value[T]) String() string { return v.text }
func (v *value[T]) Type() string   { return v.kind }

// newValue returns a flag with a default, or without one if byDefault is "".
func newValue[T any](to *T, kind, byDefault string, parse func(string) (T, error)) *value[T] {
	v := &value[T]{to: to, kind: kind, parse: parse}
	if byDefault != "" {
		if err := v.Set(byDefault); err != nil {
			panic(err) // defaults are constants of this package
		}
	}
	return v
}

// list is a flag of values separated by commas. A value that comes twice would be measured twice under one
// name.
type list[T comparable, P interface {
	*T
	encoding.TextUnmarshaler
}] []T

func (l *list[T, P]) UnmarshalText(text []byte) error {
	*l = nil
	for part := range strings.SplitSeq(string(text), ",") {
		v, err := workload.Parse[T, P](part)
		if err != nil {
			return err
		}
		if slices.Contains(*l, v) {
			return fmt.Errorf("duplicate value %q", part)
		}
		*l = append(*l, v)
	}
	return nil
}

func (l list[T, P]) MarshalText() ([]byte, error) { return []byte(menu(l, ",")), nil }

// positive is a count within the bounds of n, M, m and T on the command line.
type positive workload.Count

func (p positive) String() string { return workload.Count(p).String() }

func (p *positive) UnmarshalText(text []byte) error {
	const most = 1 << 40
	n, err := workload.Parse[workload.Count](string(text))
	if err == nil && (n < 1 || n > most) {
		err = fmt.Errorf("%s is out of range (use 1 to %d)", text, uint64(most))
	}
	*p = positive(n)
	return err
}

func menu[T any](values []T, separator string) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = fmt.Sprint(v)
	}
	return strings.Join(names, separator)
}

// countWithin returns a flag of a whole number within bounds, with a default or "".
func countWithin(to *uint64, low, high uint64, byDefault string) *value[uint64] {
	return newValue(to, "count", byDefault, func(text string) (uint64, error) {
		v, err := workload.Parse[workload.Count](text)
		if err != nil || uint64(v) < low || uint64(v) > high {
			return 0, fmt.Errorf("invalid count %q (use a whole number from %v to %v, optionally with suffix k, M "+
				"or G)", text, workload.Count(low), workload.Count(high))
		}
		return uint64(v), nil
	})
}

// parsePercent reads a percentage as a share.
func parsePercent(text string) (float64, error) {
	digits, ok := strings.CutSuffix(text, "%")
	percent, err := strconv.ParseFloat(digits, 64)
	if err != nil || !ok || !(percent > 0 && percent <= 100) {
		err = fmt.Errorf("invalid percentage %q (use a percentage above 0%% up to 100%%)", text)
	}
	return percent / 100, err
}

// seedFlag adds --seed, which is 1 by default.
func seedFlag(f *pflag.FlagSet, seed *uint64) {
	f.Var(countWithin(seed, 0, math.MaxUint64, "1"), "seed", "seed for workloads and the order of runs")
}

// roundsFlag adds --rounds, which means the same for all: no cell gets more samples.
func roundsFlag(f *pflag.FlagSet, rounds *uint64, byDefault string) {
	const most = 1000
	f.Var(countWithin(rounds, 1, most, ""), "rounds",
		"samples of a cell, at most; a 95 % interval needs 6 (default "+byDefault+")")
}

func formatFlag(f *pflag.FlagSet, format *report.Format) {
	formatFlagOf(f, format, report.Formats, "of the output: "+menu(report.Formats, ","))
}

func formatFlagOf(f *pflag.FlagSet, format *report.Format, formats []report.Format, usage string) {
	f.Var(newValue(format, "format", string(report.Text), func(text string) (report.Format, error) {
		if !slices.Contains(formats, report.Format(text)) {
			return "", fmt.Errorf("unknown format %q (have %s)", text, menu(formats, ", "))
		}
		return report.Format(text), nil
	}), "format", usage)
}

// checkPositive returns an error if one of the flags is given and not above 0.
func checkPositive(flags *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if f := flags.Lookup(name); f.Changed && strings.ContainsAny(f.Value.String()[:1], "-0") {
			return fmt.Errorf("invalid --%s %s (must be above 0)", name, f.Value)
		}
	}
	return nil
}

// schemesFlag adds --schemes, which is all by default.
func schemesFlag(cmd *cobra.Command, names *[]string) {
	cmd.Flags().StringSliceVar(names, "schemes", nil, "schemes by name, separated by commas (default all)")
	_ = cmd.RegisterFlagCompletionFunc("schemes", cobra.FixedCompletions(harness.Names(),
		cobra.ShellCompDirectiveNoFileComp))
}

// findSchemes returns the schemes of these names; all if the flag was not given and
// names are nil.
func findSchemes(names []string) (all []*schemes.Info, err error) {
	if names == nil {
		return harness.Schemes, nil
	}
	if len(names) == 0 {
		return nil, usagef("--schemes is empty (give names, separated by commas)")
	}
	for i, name := range names {
		info, err := harness.Find(name)
		if err != nil {
			return nil, unknown("scheme", name, harness.Names())
		}
		if slices.Contains(names[:i], name) {
			return nil, usagef("duplicate value %q in --schemes", name)
		}
		all = append(all, info)
	}
	return all, nil
}

// usageError marks an error as the user's.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

func usage(err error) error { return usageError{err} }

func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

// queryUsage makes an error in a filter one of usage, with the flag's name.
func queryUsage(err error) error {
	var q *gate.FilterError
	if errors.As(err, &q) {
		return usagef("--%s", q)
	}
	return err
}

func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasSubCommands():
		return unknown("verb", args[0], verbNames(cmd))
	}
	return usagef("%s takes no argument, got %q", cmd.Name(), args[0])
}

// needsVerb runs a command that does nothing by itself. cobra would print its help and exit with 0.
func needsVerb(cmd *cobra.Command, _ []string) error {
	return usagef("%s needs a verb (have %s)", cmd.Name(), strings.Join(verbNames(cmd), ", "))
}

// takes returns a check of the number of arguments, which what says in words.
func takes(low, high int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < low || len(args) > high {
			return usagef("%s takes %s, got %d", cmd.Name(), what, len(args))
		}
		return nil
	}
}

var someFiles = takes(1, math.MaxInt, "one raw file or more")

func verbNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			names = append(names, c.Name())
		}
	}
	return names
}

// unknown returns the error for an unknown name. It suggests the nearest of the known names,
// or lists them all.
func unknown(what, name string, have []string) error {
	menu := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, h := range have {
		menu.AddCommand(&cobra.Command{Use: h, Run: func(*cobra.Command, []string) {}})
	}
	if near := menu.SuggestionsFor(name); len(near) > 0 && name != "" {
		return usagef("unknown %s %q (did you mean %s?)", what, name, strings.Join(near, " or "))
	}
	return usagef("unknown %s %q (have %s)", what, name, strings.Join(have, ", "))
}

// writePage prints a page. In a format for programs, why its findings may not hold is also on standard error.
func writePage(cmd *cobra.Command, page *report.Page, format report.Format) error {
	if format == report.CSV || format == report.JSON {
		for _, warning := range page.Warnings {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", strings.ReplaceAll(warning, "**", ""))
		}
	}
	return page.Write(cmd.OutOrStdout(), format)
}

// count returns a number of things in words: "1 scheme", "2 schemes".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// shardFlag is a shard as the user names it: 2/4, or env for that of a job array's task. Its text is always an
// index and a count, so that the command that a file records does not depend on the environment.
type shardFlag struct{ results.Shard }

func (s *shardFlag) UnmarshalText(text []byte) (err error) {
	if string(text) == "env" {
		s.Shard, err = shardOfTask(os.Getenv)
	} else {
		s.Shard, err = results.ParseShard(string(text))
	}
	return err
}

func (s shardFlag) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// shardOfTask returns the shard of a task of a job array: of a Kubernetes indexed Job, whose
// manifest sets JOB_COMPLETIONS to its completions, or of a Slurm array.
func shardOfTask(getenv func(string) string) (results.Shard, error) {
	for _, array := range []struct{ index, least, step, count string }{
		{"JOB_COMPLETION_INDEX", "", "", "JOB_COMPLETIONS"},
		{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"},
	} {
		if getenv(array.index) == "" {
			continue
		}
		number := func(name, byDefault string) int {
			n, err := strconv.Atoi(cmp.Or(getenv(name), byDefault))
			if err != nil {
				return -1
			}
			return n
		}
		index := number(array.index, "") - number(array.least, "0")
		step, count := number(array.step, "1"), number(array.count, "0")
		if index < 0 || step < 1 || index/step >= count || index%step > 0 {
			return results.Shard{}, fmt.Errorf("%s=%s is not one of the %s=%q tasks of an array (use indexes such as "+
				"0-3)", array.index, getenv(array.index), array.count, getenv(array.count))
		}
		return results.Shard{Index: index/step + 1, Count: count}, nil
	}
	return results.Shard{}, errors.New("neither JOB_COMPLETION_INDEX nor SLURM_ARRAY_TASK_ID is set (use an index " +
		"and a count outside a job array, as in 2/4)")
}

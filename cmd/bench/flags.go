package main

import (
	"encoding"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness"
	"timerlab/harness/report"
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

// oneOf returns a parser of the names of values.
func oneOf[T any](what string, values ...T) func(string) (T, error) {
	return func(text string) (none T, err error) {
		for _, v := range values {
			if fmt.Sprint(v) == text {
				return v, nil
			}
		}
		return none, fmt.Errorf("unknown %s %q (have %s)", what, text, menu(values, ", "))
	}
}

// menu lists the names of values.
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

// formatFlag adds --format.
func formatFlag(f *pflag.FlagSet, format *report.Format) {
	formatFlagOf(f, format, report.Formats, "of the output: "+menu(report.Formats, ","))
}

func formatFlagOf(f *pflag.FlagSet, format *report.Format, formats []report.Format, usage string) {
	f.Var(newValue(format, "format", string(report.Text), oneOf("format", formats...)), "format", usage)
}

// filterFlag adds --filter of verbs that read results.
func filterFlag(f *pflag.FlagSet, filter *string) {
	f.StringVar(filter, "filter", "*", "only what this filter of benchstat matches, as in '.name:Start .unit:ns/op'")
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
func findSchemes(names []string) ([]*schemes.Info, error) {
	if names == nil {
		return harness.Schemes, nil
	}
	if len(names) == 0 {
		return nil, usagef("--schemes is empty (give names, separated by commas)")
	}
	return findNamed("scheme", "schemes", names, harness.Find, harness.Names())
}

// findNamed finds values by their names, each of which a flag may have once.
func findNamed[T any](what, flag string, names []string, find func(string) (T, error), have []string) ([]T, error) {
	var all []T
	for i, name := range names {
		v, err := find(name)
		if err != nil {
			return nil, unknown(what, name, have)
		}
		if slices.Contains(names[:i], name) {
			return nil, usagef("duplicate value %q in --%s", name, flag)
		}
		all = append(all, v)
	}
	return all, nil
}

package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness"
	"timerlab/harness/report"
	"timerlab/harness/results"
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

// list returns a parser of values separated by commas. A value that comes twice would be
// measured twice under one name.
func list[T comparable](parse func(string) (T, error)) func(string) ([]T, error) {
	return func(text string) (values []T, err error) {
		for _, part := range strings.Split(text, ",") {
			v, err := parse(part)
			if err != nil {
				return nil, err
			}
			if slices.Contains(values, v) {
				return nil, fmt.Errorf("duplicate value %q", part)
			}
			values = append(values, v)
		}
		return values, nil
	}
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

// maxCount bounds n, M, m and T on the command line.
const maxCount = 1 << 40

func parseCount(text string) (uint64, error) {
	n, err := results.ParseCount(text)
	if err == nil && (n < 1 || n > maxCount) {
		err = fmt.Errorf("%s is out of range (use 1 to %d)", text, uint64(maxCount))
	}
	return n, err
}

// countWithin returns a flag of a whole number within bounds, with a default or "".
func countWithin(to *uint64, low, high uint64, byDefault string) *value[uint64] {
	return newValue(to, "count", byDefault, func(text string) (uint64, error) {
		v, err := results.ParseCount(text)
		if err != nil || v < low || v > high {
			return v, fmt.Errorf("invalid count %q (use a whole number from %s to %s, optionally with suffix k, M "+
				"or G)", text, results.FormatCount(low), results.FormatCount(high))
		}
		return v, nil
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

// formatFlag adds --format. --json is its hidden older name.
func formatFlag(f *pflag.FlagSet, format *report.Format) {
	formatFlagOf(f, format, report.Formats, "of the output: "+menu(report.Formats, ","))
}

func formatFlagOf(f *pflag.FlagSet, format *report.Format, formats []report.Format, usage string) {
	f.Var(newValue(format, "format", string(report.Text), oneOf("format", formats...)), "format", usage)
	f.BoolFunc("json", "", func(string) error {
		*format = report.JSON
		return nil
	})
	_ = f.MarkHidden("json") // it exists
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

package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"al.essio.dev/pkg/shellescape"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/workload"
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

// number returns a flag of a whole number within bounds.
func number(to *uint64, low, high uint64) *value[uint64] {
	return newValue(to, "count", "", func(text string) (uint64, error) {
		v, err := results.ParseCount(text)
		if err != nil || v < low || v > high {
			return v, fmt.Errorf("invalid count %q (use a whole number from %s to %s, optionally with suffix k, M "+
				"or G)", text, results.FormatCount(low), results.FormatCount(high))
		}
		return v, nil
	})
}

// parseScaled reads a positive number with a suffix.
func parseScaled(text string) (v float64, err error) {
	digits := strings.TrimRightFunc(text, unicode.IsLetter)
	v, err = strconv.ParseFloat(digits, 64)
	factor, ok := map[string]float64{
		"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30,
	}[strings.TrimSuffix(text[len(digits):], "B")]
	if v *= factor; err != nil || !ok || !(v > 0 && v <= 1<<50) {
		err = fmt.Errorf("invalid number %q (use a positive number, optionally with a suffix: 50k, 256MiB)", text)
	}
	return v, err
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

// share is a share of timers that are stopped at a part of their interval.
type share struct{ share, at float64 }

func parseShare(text string) (share, error) {
	p, at, err := results.ParseFraction(text)
	return share{p, at}, err
}

var parseArrivals = oneOf("arrivals", workload.Hold, workload.Poisson)

// seedFlag adds --seed, which is 1 by default.
func seedFlag(f *pflag.FlagSet, seed *uint64) {
	v := number(seed, 0, math.MaxUint64)
	v.text, *seed = "1", 1
	f.Var(v, "seed", "seed for workloads and the order of runs")
}

// roundsFlag adds --rounds, which means the same for all: no cell gets more samples.
func roundsFlag(f *pflag.FlagSet, rounds *uint64, byDefault string) {
	const most = 1000
	f.Var(number(rounds, 1, most), "rounds",
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

// changedFlags returns the flags that the user gave, to repeat a command by.
func changedFlags(cmd *cobra.Command) string {
	text := ""
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		switch list, _ := f.Value.(pflag.SliceValue); f.Value.Type() {
		case "stringSlice":
			values[0] = strings.Trim(values[0], "[]")
		case "stringArray": // given once for each
			values = list.GetSlice()
		}
		for _, value := range values {
			text += fmt.Sprintf(" --%s=%s", f.Name, shellescape.Quote(value))
		}
	})
	return text
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

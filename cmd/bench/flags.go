package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"timerlab/harness/results"

	"al.essio.dev/pkg/shellescape"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness/workload"
)

// list is a flag of values separated by commas, which replace the default.
type list[T comparable] struct {
	values *[]T
	parse  func(string) (T, error)
	format func(T) string
	kind   string
}

// Set parses a list. A value that comes twice would be measured twice under one name.
func (l list[T]) Set(text string) error {
	var values []T
	for _, part := range strings.Split(text, ",") {
		v, err := l.parse(part)
		if err != nil {
			return err
		}
		if slices.Contains(values, v) {
			return fmt.Errorf("duplicate value %q", part)
		}
		values = append(values, v)
	}
	*l.values = values
	return nil
}

func (l list[T]) String() string {
	if l.values == nil { // as pflag makes one, to find the zero value
		return ""
	}
	return formatList(*l.values, l.format)
}

func (l list[T]) Type() string { return l.kind }

// formatList joins values as a list flag parses them.
func formatList[T any](values []T, format func(T) string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = format(v)
	}
	return strings.Join(parts, ",")
}

// counts returns a list flag of whole numbers from 1.
func counts(values *[]uint64) list[uint64] {
	return list[uint64]{values, parseCount, results.FormatCount, "counts"}
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

// number is one whole number within bounds.
type number struct {
	value     *uint64
	low, high uint64
}

func (n number) Set(text string) error {
	v, err := results.ParseCount(text)
	if err != nil || v < n.low || v > n.high {
		return fmt.Errorf("invalid count %q (use a whole number from %s to %s, optionally with suffix k, M or G)",
			text, results.FormatCount(n.low), results.FormatCount(n.high))
	}
	*n.value = v
	return nil
}

func (n number) String() string {
	if n.value == nil { // as pflag makes one, to find the zero value
		return ""
	}
	return fmt.Sprint(*n.value)
}
func (n number) Type() string { return "count" }

// parsed is a flag of a number, in a form of its own.
type parsed struct {
	value *float64
	typ   string
	parse func(text string) (float64, error)
	text  string
}

func (p *parsed) Set(text string) (err error) {
	p.text = text
	*p.value, err = p.parse(text)
	return err
}
func (p *parsed) String() string { return p.text }
func (p *parsed) Type() string   { return p.typ }

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

// Flags that several verbs have.
func seedFlag(f *pflag.FlagSet, seed *uint64) {
	f.Var(number{seed, 0, math.MaxUint64}, "seed", "seed for workloads and the order of runs")
}

// roundsFlag adds --rounds, which means the same for all: no cell gets more samples.
func roundsFlag(f *pflag.FlagSet, rounds *uint64, byDefault string) {
	f.Var(number{rounds, 1, maxRounds}, "rounds",
		"samples of a cell, at most; a 95 % interval needs 6 (default "+byDefault+")")
}

// maxRounds bounds the samples of a cell.
const maxRounds = 1000

// share is a share of timers that are stopped at a part of their interval.
type share struct{ share, at float64 }

func parseShare(text string) (share, error) {
	p, at, err := results.ParseFraction(text)
	return share{p, at}, err
}

func (s share) String() string { return results.FormatFraction(s.share, s.at) }

// arrivals is hold or poisson.
type arrivals workload.Arrivals

func (a *arrivals) Set(text string) error {
	for _, v := range []workload.Arrivals{workload.Hold, workload.Poisson} {
		if v.String() == text {
			*a = arrivals(v)
			return nil
		}
	}
	return fmt.Errorf("unknown arrivals %q (have hold, poisson)", text)
}

func (a *arrivals) String() string { return workload.Arrivals(*a).String() }
func (a *arrivals) Type() string   { return "name" }

// changedFlags returns the flags that the user gave, to repeat a command by.
func changedFlags(cmd *cobra.Command) string {
	text := ""
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if f.Value.Type() == "stringSlice" {
			value = strings.Trim(value, "[]")
		}
		text += fmt.Sprintf(" --%s=%s", f.Name, shellescape.Quote(value))
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

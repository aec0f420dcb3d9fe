package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"timerlab/harness/results"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness/workload"
)

// Lists on the command line: values separated by commas. Each type is a
// pflag.Value whose Set replaces the default.

// parseList splits text and parses each part. A value that comes twice would be
// measured twice under one name.
func parseList[T comparable](text string, parse func(string) (T, error)) ([]T, error) {
	var list []T
	for _, part := range strings.Split(text, ",") {
		v, err := parse(part)
		if err != nil {
			return nil, err
		}
		if slices.Contains(list, v) {
			return nil, fmt.Errorf("duplicate value %q", part)
		}
		list = append(list, v)
	}
	return list, nil
}

// formatList joins values as parseList reads them.
func formatList[T any](list []T, format func(T) string) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = format(v)
	}
	return strings.Join(parts, ",")
}

// counts are whole numbers from 1, with SI suffixes.
type counts []uint64

// maxCount bounds n, M, m and T on the command line.
const maxCount = 1 << 40

func (c *counts) Set(text string) (err error) {
	*c, err = parseList(text, func(part string) (uint64, error) {
		n, err := results.ParseCount(part)
		if err == nil && (n < 1 || n > maxCount) {
			err = fmt.Errorf("%s is out of range (use 1 to %d)", part, uint64(maxCount))
		}
		return n, err
	})
	return err
}

func (c *counts) String() string { return formatList(*c, results.FormatCount) }
func (c *counts) Type() string   { return "counts" }

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

// dists are distributions of intervals.
type dists []workload.Dist

func (d *dists) Set(text string) (err error) {
	*d, err = parseList(text, workload.ParseShape)
	return err
}

func (d *dists) String() string { return formatList(*d, workload.Dist.String) }
func (d *dists) Type() string   { return "names" }

// share is a share of timers that are stopped at a part of their interval.
type share struct{ share, at float64 }

type shares []share

func (s *shares) Set(text string) (err error) {
	*s, err = parseList(text, func(part string) (share, error) {
		p, at, err := results.ParseFraction(part)
		return share{p, at}, err
	})
	return err
}

func (s *shares) String() string {
	return formatList(*s, func(x share) string {
		if x.share == 0 {
			return "0"
		}
		return fmt.Sprintf("%g@%g", x.share, x.at)
	})
}
func (s *shares) Type() string { return "shares" }

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
		text += fmt.Sprintf(" --%s=%s", f.Name, shellWord(value))
	})
	return text
}

// shellWord quotes text where a shell would not take it for one plain word.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./,:@%+=", r)
	}
	if strings.TrimFunc(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

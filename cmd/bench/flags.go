package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness"
	"timerlab/harness/report"
	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"
	"timerlab/schemes"
)

// A flag is read by a function, which returns a value or what is wrong with the text and what is allowed.

// textFlag is the value of a flag. Its text is what the user gave: so is the command that a file records.
type textFlag struct {
	text string
	read func(text string) error
}

func (v *textFlag) Set(text string) error {
	v.text = text
	return v.read(text)
}

func (v *textFlag) String() string { return v.text }

func (v *textFlag) Type() string { return "text" }

// addFlag adds a flag that parse reads. Its name may be followed by its letter, as in "timers,n". Its default is a text
// too; "" leaves the value as it is.
func addFlag[T any](f *pflag.FlagSet, to *T, name, byDefault, usage string, parse func(text string) (T, error)) {
	v := &textFlag{read: func(text string) (err error) {
		*to, err = parse(text)
		return err
	}}
	if byDefault != "" {
		if err := v.Set(byDefault); err != nil {
			panic(err) // a mistake of ours
		}
	}
	name, letter, _ := strings.Cut(name, ",")
	f.VarP(v, name, letter, usage)
}

// listOf returns a function that reads values separated by commas. One that comes twice would be measured twice under
// one name.
func listOf[T comparable](parse func(text string) (T, error)) func(text string) ([]T, error) {
	return func(text string) (all []T, err error) {
		for part := range strings.SplitSeq(text, ",") {
			v, err := parse(part)
			if err != nil {
				return nil, err
			}
			if slices.Contains(all, v) {
				return nil, fmt.Errorf("duplicate value %q", part)
			}
			all = append(all, v)
		}
		return all, nil
	}
}

func menu[T any](values []T, separator string) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = fmt.Sprint(v)
	}
	return strings.Join(names, separator)
}

// whole returns a function that reads a whole number within bounds.
func whole[T ~int | ~uint64](low, high uint64) func(text string) (T, error) {
	return func(text string) (T, error) {
		n, err := workload.Parse[workload.Count](text)
		if err != nil || uint64(n) < low || uint64(n) > high {
			return 0, fmt.Errorf("invalid count %q (use a whole number from %v to %v, optionally with suffix k, M or G)",
				text, workload.Count(low), workload.Count(high))
		}
		return T(n), nil
	}
}

var scales = map[string]float64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30}

// scaled reads a positive number with a suffix, such as 50k or 256MiB.
func scaled[T float64 | int64](text string) (T, error) {
	digits := strings.TrimRightFunc(text, unicode.IsLetter)
	factor, ok := scales[strings.TrimSuffix(text[len(digits):], "B")]
	f, err := strconv.ParseFloat(digits, 64)
	if f *= factor; err != nil || !ok || !(f > 0 && f <= 1<<50) {
		return 0, fmt.Errorf("invalid number %q (use a positive number, optionally with a suffix: 50k, 256MiB)", text)
	}
	return T(f), nil
}

// percent reads a percentage as a share.
func percent(text string) (float64, error) {
	digits, ok := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || !ok || !(f > 0 && f <= 100) {
		return 0, fmt.Errorf("invalid percentage %q (use a percentage above 0%% up to 100%%)", text)
	}
	return f / 100, nil
}

// duration reads a time above 0, as time.ParseDuration does, or days or years.
func duration(text string) (time.Duration, error) {
	seconds, err := demand.ParseSeconds(text)
	if err != nil || seconds > math.MaxInt64/1e9 {
		return 0, fmt.Errorf("invalid duration %q (use one above 0 and up to 290y, such as 300ms, 2h or 5d)", text)
	}
	return time.Duration(math.Round(1e9 * seconds)), nil
}

// schemeOf returns a scheme of the registry by its name or, if it is one of the paper's, its number.
func schemeOf(name string) (*schemes.Info, error) {
	for _, info := range harness.Schemes {
		if info.IsBase() && strconv.Itoa(info.Number) == name {
			return info, nil
		}
	}
	return harness.Find(name)
}

// Flags of several verbs, each with one meaning.

// schemesFlag adds --schemes. If it is not given, the schemes stay what they are.
func schemesFlag(f *pflag.FlagSet, to *[]*schemes.Info, usage string) {
	addFlag(f, to, "schemes", "", "`schemes` by name or number, separated by commas"+usage, listOf(schemeOf))
}

func seedFlag(f *pflag.FlagSet, seed *uint64) {
	addFlag(f, seed, "seed", "1", "`seed` for workloads and the order of runs", whole[uint64](0, math.MaxUint64))
}

func roundsFlag(f *pflag.FlagSet, rounds *int, byDefault string) {
	addFlag(f, rounds, "rounds", "",
		"samples of a cell, at most this `count`; a 95 % interval needs 6 (default "+byDefault+")", whole[int](1, 1000))
}

// pathFlag adds a flag with the name of a file or folder. Its default may be "".
func pathFlag(f *pflag.FlagSet, to *string, name, byDefault, usage string) {
	addFlag(f, to, name, byDefault, usage, func(text string) (string, error) {
		if text == "" {
			return "", errors.New("an empty name (use the name of a file or folder)")
		}
		return text, nil
	})
}

// formatFlag adds --format, which is one of these and the first by default.
func formatFlag(f *pflag.FlagSet, to *report.Format, all []report.Format, usage string) {
	addFlag(f, to, "format", string(all[0]), usage, func(text string) (report.Format, error) {
		if !slices.Contains(all, report.Format(text)) {
			return "", fmt.Errorf("unknown format %q (have %s)", text, menu(all, ", "))
		}
		return report.Format(text), nil
	})
}

func outputFlag(f *pflag.FlagSet, to *report.Format) {
	formatFlag(f, to, report.Formats, "`format` of the output: "+menu(report.Formats, ","))
}

// usage marks an error as the user's.
func usage(err error) error { return failure{err, exitUsage} }

func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

// exclusive makes the library's error about flags that exclude each other one of usage, in our words.
func exclusive(err error) error {
	if err == nil {
		return nil
	}
	_, set, _ := strings.Cut(err.Error(), "; [") // …; [full smoke] were all set
	set, _, _ = strings.Cut(set, "]")
	return usagef("--%s are mutually exclusive", strings.ReplaceAll(set, " ", " and --"))
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
		if c.Name() != "help" && !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

func unknown(what, name string, have []string) error {
	return usagef("unknown %s %q (have %s)", what, name, strings.Join(have, ", "))
}

// writePage prints a page. Why its findings may not hold, which CSV has no place for, is then on standard error.
func writePage(cmd *cobra.Command, page *report.Page, format report.Format) error {
	if format == report.CSV {
		for _, warning := range page.Warnings {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", strings.ReplaceAll(warning, "**", ""))
		}
	}
	return page.Write(cmd.OutOrStdout(), format)
}

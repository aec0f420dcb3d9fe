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
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/perf/benchproc"

	"timerlab/harness"
	"timerlab/harness/gate"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"
	"timerlab/schemes"
)

// The type of a flag reads its text, and refuses what is not allowed. What is allowed for one flag alone, as the bounds
// of a number are, is in its default.

// list is values separated by commas. One that comes twice would be measured twice under one name.
type list[T comparable, P interface {
	*T
	encoding.TextUnmarshaler
}] struct {
	all []T
	of  T // what a value is before it is read
}

func (l *list[T, P]) UnmarshalText(text []byte) error {
	l.all = nil
	for part := range strings.SplitSeq(string(text), ",") {
		v := l.of
		if err := P(&v).UnmarshalText([]byte(part)); err != nil {
			return err
		}
		if slices.Contains(l.all, v) {
			return fmt.Errorf("duplicate value %q", part)
		}
		l.all = append(l.all, v)
	}
	return nil
}

func (l list[T, P]) MarshalText() ([]byte, error) { return []byte(menu(l.all, ",")), nil }

func menu[T any](values []T, separator string) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = fmt.Sprint(v)
	}
	return strings.Join(names, separator)
}

// number is a whole number within bounds. One below them means that the flag was not given.
type number struct{ n, low, high uint64 }

func (v *number) UnmarshalText(text []byte) error {
	n, err := workload.Parse[workload.Count](string(text))
	if v.n = uint64(n); err != nil || v.n < v.low || v.n > v.high {
		return fmt.Errorf("invalid count %q (use a whole number from %v to %v, optionally with suffix k, M or G)",
			text, workload.Count(v.low), workload.Count(v.high))
	}
	return nil
}

func (v number) String() string {
	if v.n < v.low {
		return ""
	}
	return workload.Count(v.n).String()
}

func (v number) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// numbers is a list of numbers from 1 to high.
type numbers = list[number, *number]

func upTo(high uint64, byDefault ...uint64) numbers {
	l := numbers{of: number{0, 1, high}}
	for _, n := range byDefault {
		l.all = append(l.all, number{n, 1, high})
	}
	return l
}

// scaled is a positive number with a suffix, such as 50k or 256MiB. 0 is not given.
type scaled float64

func (v *scaled) UnmarshalText(text []byte) error {
	digits := strings.TrimRightFunc(string(text), unicode.IsLetter)
	f, err := strconv.ParseFloat(digits, 64)
	suffix := strings.TrimSuffix(string(text[len(digits):]), "B")
	i := slices.IndexFunc(scales, func(s scale) bool { return s.suffix == suffix })
	if err == nil && i >= 0 {
		f *= scales[i].factor
	}
	if err != nil || i < 0 || !(f > 0 && f <= 1<<50) {
		return fmt.Errorf("invalid number %q (use a positive number, optionally with a suffix: 50k, 256MiB)", text)
	}
	*v = scaled(f)
	return nil
}

func (v scaled) MarshalText() ([]byte, error) {
	i := slices.IndexFunc(scales, func(s scale) bool { return math.Mod(float64(v), s.factor) == 0 })
	if i < 0 { // a fraction
		i = len(scales) - 1
	}
	return given(v, fmt.Sprint(float64(v)/scales[i].factor, scales[i].suffix))
}

type scale struct {
	suffix string
	factor float64
}

var scales = []scale{{"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"Gi", 1 << 30}, {"Mi", 1 << 20}, {"Ki", 1 << 10}, {"", 1}}

// percent is a percentage as a share. 0 is not given.
type percent float64

func (v *percent) UnmarshalText(text []byte) error {
	digits, ok := strings.CutSuffix(string(text), "%")
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || !ok || !(f > 0 && f <= 100) {
		return fmt.Errorf("invalid percentage %q (use a percentage above 0%% up to 100%%)", text)
	}
	*v = percent(f / 100)
	return nil
}

func (v percent) MarshalText() ([]byte, error) {
	return given(v, fmt.Sprintf("%.10g%%", 100*float64(v)))
}

// duration is a time above 0, as time.ParseDuration reads it, or days or years. 0 is not given.
type duration time.Duration

func (v *duration) UnmarshalText(text []byte) error {
	seconds, err := demand.ParseSeconds(string(text))
	if err != nil || seconds > math.MaxInt64/1e9 {
		return fmt.Errorf("invalid duration %q (use one above 0 and up to 290y, such as 300ms, 2h or 5d)", text)
	}
	*v = duration(math.Round(1e9 * seconds))
	return nil
}

func (v duration) MarshalText() ([]byte, error) { return given(v, time.Duration(v).String()) }

// tick is a duration above 0 or a frequency. 0 is not given.
type tick time.Duration

func (v *tick) UnmarshalText(text []byte) error {
	if digits, ok := strings.CutSuffix(strings.ToLower(string(text)), "hz"); ok {
		hz, err := strconv.ParseFloat(digits, 64)
		if err != nil || !(hz > 0 && hz <= 1e9) {
			return fmt.Errorf("invalid frequency %q (use a number above 0 up to 1e9, as in 60Hz)", text)
		}
		*v = tick(math.Round(1e9 / hz))
		return nil
	}
	if (*duration)(v).UnmarshalText(text) != nil {
		return fmt.Errorf("invalid tick %q (use a duration above 0 or a frequency, such as 100ms or 60Hz)", text)
	}
	return nil
}

func (v tick) MarshalText() ([]byte, error) { return duration(v).MarshalText() }

// given returns the text of a flag, or none if its value is 0.
func given[T comparable](v T, text string) ([]byte, error) {
	if v == *new(T) {
		text = ""
	}
	return []byte(text), nil
}

// path is the name of a file or a folder.
type path string

func (p *path) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("an empty name (use that of a file or folder)")
	}
	*p = path(text)
	return nil
}

func (p path) MarshalText() ([]byte, error) { return []byte(p), nil }

// oneFormat is one of some formats.
type oneFormat struct {
	report.Format
	of []report.Format
}

func (v *oneFormat) UnmarshalText(text []byte) error {
	if v.Format = report.Format(text); !slices.Contains(v.of, v.Format) {
		return fmt.Errorf("unknown format %q (have %s)", text, menu(v.of, ", "))
	}
	return nil
}

func (v oneFormat) MarshalText() ([]byte, error) { return []byte(v.Format), nil }

// filter is a filter of benchstat.
type filter struct {
	*benchproc.Filter
	text string
}

func (v *filter) UnmarshalText(text []byte) (err error) {
	v.text = string(text)
	v.Filter, err = gate.NewFilter(v.text)
	return err
}

func (v filter) MarshalText() ([]byte, error) { return []byte(v.text), nil }

// scheme is a scheme of the registry, by its name or, if it is one of the paper's, its number.
type scheme struct{ *schemes.Info }

func (s *scheme) UnmarshalText(text []byte) error {
	i := slices.IndexFunc(harness.Schemes, func(info *schemes.Info) bool {
		return info.Name == string(text) || info.IsBase() && strconv.Itoa(info.Number) == string(text)
	})
	if i < 0 {
		return unknown("scheme", string(text), harness.Names())
	}
	s.Info = harness.Schemes[i]
	return nil
}

func (s scheme) String() string { return s.Name }

// someSchemes are schemes; all if there are none.
type someSchemes = list[scheme, *scheme]

// infosOf returns the schemes of a flag.
func infosOf(l someSchemes) (infos []*schemes.Info) {
	if len(l.all) == 0 {
		return harness.Schemes
	}
	for _, s := range l.all {
		infos = append(infos, s.Info)
	}
	return infos
}

// Flags of several verbs, each with one meaning.

// schemesFlag adds --schemes, which is all by default.
func schemesFlag(cmd *cobra.Command, l *someSchemes, usage string) {
	cmd.Flags().TextVar(l, "schemes", someSchemes{}, "`schemes` by name or number, separated by commas"+usage)
	_ = cmd.RegisterFlagCompletionFunc("schemes", cobra.FixedCompletions(harness.Names(),
		cobra.ShellCompDirectiveNoFileComp))
}

func seedFlag(f *pflag.FlagSet, seed *number) {
	f.TextVar(seed, "seed", number{1, 0, math.MaxUint64}, "`seed` for workloads and the order of runs")
}

func roundsFlag(f *pflag.FlagSet, rounds *number, byDefault string) {
	f.TextVar(rounds, "rounds", number{0, 1, 1000},
		"samples of a cell, at most this `count`; a 95 % interval needs 6 (default "+byDefault+")")
}

// pathFlag adds a flag with the name of a file or folder. Its default may be "".
func pathFlag(f *pflag.FlagSet, to *string, name, byDefault, usage string) {
	f.TextVar((*path)(to), name, path(byDefault), usage)
}

func timeFlag(f *pflag.FlagSet, to *time.Duration, name string, byDefault time.Duration, usage string) {
	f.TextVar((*duration)(to), name, duration(byDefault), usage)
}

func formatFlag(f *pflag.FlagSet, v *oneFormat) {
	f.TextVar(v, "format", oneFormat{report.Text, report.Formats}, "`format` of the output: "+menu(report.Formats, ","))
}

// filterFlag adds --filter, which is everything by default.
func filterFlag(f *pflag.FlagSet, v *filter, example string) {
	f.TextVar(v, "filter", filter{new(benchproc.Filter), "*"},
		"only what this `filter` of benchstat matches, as in '"+example+"'")
}

// usageError marks an error as the user's.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

func usage(err error) error { return usageError{err} }

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

package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/gate"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

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

// strictCompletion adds the library's verb completion, which takes unknown shells for none. It writes to where root does.
func strictCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"}) // it was just added
	completion.Args, completion.RunE = noArgs, needsVerb
	for _, shell := range completion.Commands() {
		shell.Args = noArgs
	}
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

// version returns the module, the commit and the version of Go that built this program.
func version() string {
	m := results.ThisMachine()
	return fmt.Sprintf("timerlab commit %s %s %s/%s", m.Get("commit"), m.Get("go"), m.Get("goos"), m.Get("goarch"))
}

// count returns a number of things in words: "1 scheme", "2 schemes".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

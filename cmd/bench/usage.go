package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/results"
)

// usageError marks an error as the user's.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

func usage(err error) error { return usageError{err} }

func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		return unknown("verb", args[0], verbs(cmd))
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

func verbs(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			names = append(names, c.Name())
		}
	}
	return names
}

// unknown is the error for a name that is none of these: it suggests the nearest ones,
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

// version returns the module, the commit and the version of Go that built this program.
func version() string {
	of := map[string]string{}
	for _, kv := range results.ThisMachine() {
		of[kv[0]] = kv[1]
	}
	return fmt.Sprintf("timerlab commit %s %s %s/%s", of["commit"], of["go"], of["goos"], of["goarch"])
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// recordedPrefix begins every command that a raw file records.
const recordedPrefix = "go run ./cmd/bench"

// recordedArgs returns the arguments of a command that a raw file records.
func recordedArgs(command string) ([]string, error) {
	rest, ok := strings.CutPrefix(command, recordedPrefix)
	args, err := words(rest)
	if !ok || err != nil {
		return nil, fmt.Errorf("recorded command %q is not one of bench", command)
	}
	return args, nil
}

// setRecorded sets the flags of a recorded command of the same verb that were not given.
func setRecorded(cmd *cobra.Command, command string) error {
	args, err := recordedArgs(command)
	if err != nil {
		return err
	}
	verb, flags, err := cmd.Root().Find(args)
	if err != nil || verb != cmd {
		return fmt.Errorf("recorded command %q is not one of %s", command, cmd.CommandPath())
	}
	for _, flag := range flags {
		name, value, ok := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		f := cmd.Flags().Lookup(name)
		switch {
		case !ok || f == nil:
			return fmt.Errorf("recorded command %q has an unknown flag %q", command, flag)
		case f.Changed || slices.Contains([]string{"out", "resume", "format"}, name):
			continue
		}
		if err := cmd.Flags().Set(name, value); err != nil {
			return fmt.Errorf("recorded command %q: %w", command, err)
		}
	}
	return nil
}

// words splits a command line as a shell does where it has no special characters but quotes.
func words(line string) (all []string, err error) {
	var word strings.Builder
	begun, quote := false, rune(0)
	for _, c := range line {
		switch {
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			begun, quote = true, c
		case quote == 0 && c == ' ':
			if begun {
				all = append(all, word.String())
			}
			word.Reset()
			begun = false
		default:
			begun = true
			word.WriteRune(c)
		}
	}
	if begun {
		all = append(all, word.String())
	}
	if quote != 0 {
		err = fmt.Errorf("quote %c without its end in %q", quote, line)
	}
	return all, err
}

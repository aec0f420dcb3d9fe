package main

import (
	"fmt"
	"slices"
	"strings"

	"al.essio.dev/pkg/shellescape"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Raw files and pages record the command that made them. A raw file is continued, and measured
// again, by the command that it records.

// commandPrefix begins every recorded command.
const commandPrefix = "go run ./cmd/bench"

// commandLine returns the command that runs, with the flags that the user gave.
func commandLine(cmd *cobra.Command, args ...string) string {
	return strings.Join(append([]string{"go run ./cmd/" + cmd.CommandPath() + changedFlags(cmd)}, args...), " ")
}

// pageCommand returns the command that writes the page of raw files into a folder.
func pageCommand(verb string, raws []string, out string) string {
	return commandPrefix + " " + verb + " " + strings.Join(raws, " ") + " --out " + out
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

// recordedArgs returns the arguments of a command that a raw file records.
func recordedArgs(command string) ([]string, error) {
	rest, ok := strings.CutPrefix(command, commandPrefix)
	args, err := splitWords(rest)
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

// splitWords splits a command line as a shell does where it has no special characters but quotes.
func splitWords(line string) (all []string, err error) {
	var word strings.Builder
	begun, quote := false, rune(0)
	for _, c := range line + " " {
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
	if quote != 0 {
		err = fmt.Errorf("quote %c without its end in %q", quote, line)
	}
	return all, err
}

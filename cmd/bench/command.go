package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness/results"
)

// Raw files and pages record the command that made them. A raw file is continued, and measured
// again, by the command that it records.

// commandLine returns the command that runs, with the flags that the user gave.
func commandLine(cmd *cobra.Command, args ...string) string {
	return results.CommandText(append(commandArgs(cmd), args...)...)
}

// pageCommand returns the command that writes the page of raw files into a folder.
func pageCommand(verb string, raws []string, out string) string {
	return results.CommandText(slices.Concat([]string{verb}, raws, []string{"--out", out})...)
}

// commandArgs returns the verb and the flags that were given, by the user or by the file that is
// resumed.
func commandArgs(cmd *cobra.Command) []string {
	args := strings.Fields(cmd.CommandPath())[1:]
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "resume" {
			return
		}
		values := []string{f.Value.String()}
		switch list, _ := f.Value.(pflag.SliceValue); f.Value.Type() {
		case "stringSlice":
			values[0] = strings.Trim(values[0], "[]")
		case "stringArray": // given once for each
			values = list.GetSlice()
		}
		for _, value := range values {
			args = append(args, "--"+f.Name+"="+value)
		}
	})
	return args
}

// setRecorded sets the flags of the command that measured a file, of the same verb, that were not given.
func setRecorded(cmd *cobra.Command, s results.Source) error {
	verb, flags, err := cmd.Root().Find(s.Args)
	if s.Args == nil || err != nil || verb != cmd {
		return fmt.Errorf("recorded command %q is not one of %s", s.Command, cmd.CommandPath())
	}
	for _, flag := range flags {
		name, value, ok := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		f := cmd.Flags().Lookup(name)
		switch {
		case !ok || f == nil:
			return fmt.Errorf("recorded command %q has an unknown flag %q", s.Command, flag)
		case f.Changed || slices.Contains([]string{"out", "resume", "format"}, name):
			continue
		}
		if err := cmd.Flags().Set(name, value); err != nil {
			return fmt.Errorf("recorded command %q: %w", s.Command, err)
		}
	}
	return nil
}

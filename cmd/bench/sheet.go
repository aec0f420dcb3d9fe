package main

import (
	"github.com/spf13/cobra"

	"timerlab/teach/sheet"
)

func newSheet() *cobra.Command {
	var seed string
	var key bool
	cmd := &cobra.Command{
		Use:   "sheet",
		Short: "Make a worksheet on paper, or its answers",
		Long: `Print a worksheet in Markdown: eight predictions, each answered by running the schemes. A
student's name as the seed makes a different sheet for each student, the same on every machine.`,
		Example: "  bench sheet --seed alice > alice.md\n  bench sheet --seed alice --key",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !sheet.ValidSeed(seed) {
				return usagef("invalid --seed %q (use a name of up to 40 letters, digits, - _ and .)", seed)
			}
			return sheet.Write(cmd.OutOrStdout(), seed, key)
		},
	}
	cmd.Flags().StringVar(&seed, "seed", "", "name that decides the questions, such as a student's")
	cmd.Flags().BoolVar(&key, "key", false, "print the answers instead")
	return cmd
}

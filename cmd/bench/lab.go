package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"timerlab/teach/lab"
)

func newLab() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "lab",
		Short:   "Make a module in which a student writes a scheme",
		Example: "  bench lab init mylab\n  bench lab init --scheme 2 mylab",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return usagef("lab needs a verb (have init)") },
	}
	cmd.AddCommand(newLabInit())
	return cmd
}

func newLabInit() *cobra.Command {
	var number int
	cmd := &cobra.Command{
		Use:   "init DIR",
		Short: "Make the module, with a README for the student",
		Long: `Make the module of a student who writes a scheme of the paper. It compiles, does nothing
yet, and has a copy of the contract and of its conformance suite, so that the student needs only
Go. "bench verify --module DIR" grades it.`,
		Example: "  bench lab init mylab\n  bench lab init --scheme 2 mylab",
		Args:    takes(1, 1, "one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := lab.Init(args[0], number)
			switch {
			case errors.Is(err, lab.ErrExists), errors.Is(err, lab.ErrScheme):
				return usage(err)
			case err != nil:
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(),
				"made %[1]s: read %[1]s/README.md, then\n\n\tbench verify --module %[1]s\n", args[0])
			return err
		},
	}
	cmd.Flags().IntVar(&number, "scheme", lab.Schemes()[0], "number of the scheme to write: "+menu(lab.Schemes(), ", "))
	return cmd
}

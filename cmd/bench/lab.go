package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"timerlab/teach/lab"
)

func newLab() *cobra.Command {
	var scheme string
	cmd := &cobra.Command{
		Use:   "lab DIR",
		Short: "Make a module in which a student writes a scheme",
		Long: `Make the module of a student who writes a scheme of the paper, with a README for the student.
It compiles, does nothing yet, and has a copy of the contract and of its conformance suite, so
that the student needs only Go. "bench verify --module DIR" grades it.`,
		Example: "  bench lab mylab\n  bench lab --schemes ordered mylab",
		Args:    takes(1, 1, "one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := lab.Init(args[0], scheme)
			switch {
			case errors.Is(err, lab.ErrFolder), errors.Is(err, lab.ErrExists), errors.Is(err, lab.ErrScheme):
				return usage(err)
			case err != nil:
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(),
				"made %[1]s: read %[1]s/README.md, then\n\n\tbench verify --module %[1]s\n", args[0])
			return err
		},
	}
	cmd.Flags().StringVar(&scheme, "schemes", lab.Schemes()[0],
		"the one scheme to write: "+menu(lab.Schemes(), ", ")+", or its number")
	return cmd
}

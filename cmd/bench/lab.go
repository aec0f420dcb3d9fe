package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"timerlab/teach/lab"
)

func newLab() *cobra.Command {
	var scheme string
	cmd := verb("lab", takes(1, 1, "one folder"), func(cmd *cobra.Command, args []string) error {
		err := lab.Init(args[0], scheme)
		switch {
		case errors.Is(err, lab.ErrFolder), errors.Is(err, lab.ErrScheme):
			return usage(err)
		case err != nil:
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(),
			"made %[1]s: read %[1]s/README.md, then\n\n\tbench verify --module %[1]s\n", args[0])
		return err
	})
	cmd.Flags().StringVar(&scheme, "schemes", lab.Schemes()[0],
		"the one scheme to write: "+menu(lab.Schemes(), ", ")+", or its number")
	return cmd
}

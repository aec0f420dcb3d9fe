package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/report"
	"timerlab/harness/run"
)

func newPage() *cobra.Command {
	var out string
	cmd := verb("page", noArgs, func(cmd *cobra.Command, _ []string) error {
		path, err := filepath.Abs(out)
		if err != nil {
			return err
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return usagef("--out %q is no file (use a name such as page.html)", out)
		}
		if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
			return usagef("--out %q: there is no folder %s", out, filepath.Dir(path))
		}
		if err := report.Replaceable(path); err != nil {
			return err
		}
		root, err := run.Repository()
		if err != nil {
			return fmt.Errorf("the page is built from source: %w", err)
		}
		var problem bytes.Buffer // of the program of the nested module
		program := exec.CommandContext(cmd.Context(), "go", "run", ".", "--out", path)
		program.Dir, program.Stdout, program.Stderr = filepath.Join(root, "teach", "page"), cmd.OutOrStdout(), &problem
		if err := program.Run(); err != nil {
			text := strings.TrimSuffix(strings.TrimSpace(problem.String()), "exit status 1") // a line of go run's own
			return errors.New(cmp.Or(strings.TrimSpace(text), err.Error()))
		}
		return nil
	})
	pathFlag(cmd.Flags(), &out, "out", "page.html", "`file` to write")
	return cmd
}

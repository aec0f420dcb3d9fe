package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/results"
	"timerlab/harness/run"
)

// again measures into the folder out what a raw file records.
func (j *reproduceJob) again(cmd *cobra.Command, raw, out string) error {
	t, err := results.Load(raw)
	if err != nil {
		return err
	}
	if len(t.Sources) > 1 {
		return fmt.Errorf("%d files joined (reproduce each of them)", len(t.Sources))
	}
	if t.Sources[0].Args == nil {
		return fmt.Errorf("recorded command %q is not one of bench", t.Sources[0].Command)
	}
	args := slices.DeleteFunc(slices.Clone(t.Sources[0].Args), func(arg string) bool {
		return strings.HasPrefix(arg, "--out=") || j.rounds > 0 && strings.HasPrefix(arg, "--rounds=")
	})
	args = append(args, "--out="+out)
	if j.rounds > 0 {
		args = append(args, fmt.Sprintf("--rounds=%d", j.rounds))
	}
	p, err := findProgram(cmd, t)
	if err != nil {
		return err
	}
	defer p.close()
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: measured again by %s\n", raw, p.what)
	child := exec.CommandContext(cmd.Context(), p.binary, args...)
	child.Dir, child.Stderr = p.dir, cmd.ErrOrStderr()
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) } // it closes its file
	err = child.Run()
	if cmd.Context().Err() != nil {
		return cmd.Context().Err()
	}
	return err
}

// program is what measures again.
type program struct {
	what   string // in words
	binary string
	dir    string
	close  func() error
}

// findProgram returns the program that measures the code of a table: this one if it has that
// code, else that of the recorded commit. If there is none, it is this one, and says so.
func findProgram(cmd *cobra.Command, t *results.Table) (program, error) {
	self, err := os.Executable()
	if err != nil {
		return program{}, err
	}
	present, err := presentCode()
	if err != nil {
		return program{}, err
	}
	this := program{binary: self, close: func() error { return nil }}
	changed, recorded := t.Changed(present)
	commit := t.Machine["commit"]
	if recorded && len(changed) == 0 {
		this.what = "this program, which has the same code"
		if was, is := t.Machine["ldflags"], results.ThisMachine().Get("ldflags"); was != is {
			this.what += fmt.Sprintf(", but was linked with %s instead of %s: the layout differs", is, was)
		}
		return this, nil
	}
	if p, ok := atCommit(cmd, commit, t.Machine["ldflags"]); ok {
		return p, nil
	}
	this.what = fmt.Sprintf("this program. THE CODE DIFFERS from the measured one, and commit %s cannot be built "+
		"here: differences between the runs may be the code's", commit)
	return this, nil
}

// atCommit returns the program of a commit in a worktree of its own, if it was measured without
// uncommitted changes and the repository around the working directory has it.
func atCommit(cmd *cobra.Command, commit, ldflags string) (p program, ok bool) {
	peers, err := run.PeersDir()
	if err != nil || strings.HasSuffix(commit, "+changes") {
		return p, false
	}
	root := filepath.Join(peers, "..", "..")
	tmp, err := os.MkdirTemp("", "reproduce")
	if err != nil {
		return p, false
	}
	tree := filepath.Join(tmp, "tree")
	git := func(args ...string) error {
		return exec.Command("git", append([]string{"-C", root}, args...)...).Run()
	}
	remove := func() error {
		return errors.Join(git("worktree", "remove", "--force", tree), os.RemoveAll(tmp))
	}
	binary := filepath.Join(tmp, "bench")
	build := exec.CommandContext(cmd.Context(), "go", "build", "-o", binary)
	if ldflags != "" && ldflags != "none" {
		build.Args = append(build.Args, "-ldflags="+ldflags)
	}
	build.Args = append(build.Args, "./cmd/bench")
	build.Dir = tree
	if err = git("worktree", "add", "--detach", tree, commit); err == nil {
		err = build.Run()
	}
	if err != nil {
		_ = remove()
		return p, false
	}
	return program{what: "commit " + commit, binary: binary, dir: tree, close: remove}, true
}

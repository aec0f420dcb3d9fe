package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab"
	"timerlab/harness/results"
	"timerlab/harness/run"
)

// layouts are the linker's seeds of the builds that measure rounds in turn; zero: this executable does.
type layouts struct{ first, last int }

const mostLayouts = 20 // that are built unless the user asks for more

func parseLayouts(text string) (l layouts, err error) {
	first, last, isRange := strings.Cut(text, "-")
	l.first, err = strconv.Atoi(first)
	if l.last = l.first; isRange && err == nil {
		l.last, err = strconv.Atoi(last)
	}
	if err != nil || l != (layouts{}) && (l.first < 1 || l.last < l.first) {
		err = fmt.Errorf("invalid layouts %q (use seeds from 1 on, as in 1-%d, or 0)", text, mostLayouts)
	}
	return l, err
}

// otherLayouts returns the flag by which a file's rounds are measured again in layouts that the file does not have.
func otherLayouts(t *results.Table) []string {
	last := 0
	for seed := range strings.SplitSeq(t.Machine["layout"], "; ") {
		n, _ := strconv.Atoi(seed) // a file of before has none
		last = max(last, n)
	}
	if last == 0 {
		return nil
	}
	return []string{fmt.Sprintf("--layouts=%d-%d", last+1, last+mostLayouts)}
}

func (r *recorder) roundFlags(f *pflag.FlagSet) {
	addFlag(f, &r.layouts, "layouts", fmt.Sprintf("1-%d", mostLayouts),
		"linker `seeds` of the builds that measure rounds in turn; 0: this executable measures all", parseLayouts)
	f.IntVar(&r.round, "round", -1, "the one round to measure")
	_ = f.MarkHidden("round")
}

// programs returns the executables of the layouts that measure some rounds. Without the source or the go command it is
// this one, and the user is informed.
func (l layouts) programs(cmd *cobra.Command, rounds int, progress run.Progress) (all []string, err error) {
	self, err := os.Executable()
	if err != nil || l.first == 0 {
		return []string{self}, err
	}
	root, err := repositoryOfThis()
	builds := min(rounds, l.last-l.first+1)
	for i := 0; err == nil && i < builds; i++ {
		progress(i, builds, fmt.Sprintf("building layout %d", l.first+i))
		var program string
		program, err = run.BuildLayout(cmd.Context(), root, "./cmd/bench", l.first+i)
		all = append(all, program)
	}
	if ctx := cmd.Context(); err == nil || ctx.Err() != nil {
		return all, ctx.Err()
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "note: all rounds have one layout, this executable's: %v\n", err)
	return []string{self}, nil
}

// repositoryOfThis is thisRepository, except in tests.
var repositoryOfThis = thisRepository

// thisRepository returns the repository around the working directory if its code is that of this executable.
func thisRepository() (string, error) {
	peers, err := run.PeersDir()
	if err != nil {
		return "", errors.New("the working directory is not in the repository")
	}
	root := filepath.Dir(filepath.Dir(peers))
	return root, fs.WalkDir(timerlab.Source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		mine, err := fs.ReadFile(timerlab.Source, name)
		its, errIts := os.ReadFile(filepath.Join(root, name))
		if err := cmp.Or(err, errIts); err != nil || bytes.Equal(mine, its) {
			return err
		}
		return fmt.Errorf("%s has changed since this executable was built", name)
	})
}

// startRounds continues a raw file round by round, each in a process of its own. A wrong outcome does not end it.
func startRounds(cmd *cobra.Command, programs []string, raw string, rounds int) error {
	var wrong error
	verb := strings.Fields(cmd.CommandPath())[1:]
	for round := range rounds {
		child := exec.CommandContext(cmd.Context(), programs[round%len(programs)],
			append(verb, "--resume="+raw, fmt.Sprintf("--round=%d", round))...)
		child.Env = environment(round)
		child.Stdout, child.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
		stdin, err := child.StdinPipe()
		if err != nil {
			return err
		}
		child.Cancel = stdin.Close
		var exit *exec.ExitError
		switch err = child.Run(); {
		case err == nil:
		case !errors.As(err, &exit) || exit.ExitCode() < 0:
			return fmt.Errorf("round %d: %w; continue with --resume %s", round+1, whereKept(err, raw), raw)
		case exit.ExitCode() == exitUnverified:
			wrong = failure{errPrinted, exitUnverified}
		default:
			return failure{errPrinted, exit.ExitCode()}
		}
	}
	return cmp.Or(wrong, results.Finish(raw))
}

// environment returns that of the process of a round. Its size decides where the stack begins: in up to 4 KiB, a page,
// it takes another step of 97 bytes, which is no part of a line of the cache.
func environment(round int) []string {
	return append(os.Environ(), "TIMERLAB_ROUND="+strings.Repeat("x", 1+97*round%4096))
}

// measureRound measures one round until it is done, or the process that started this one closes its input, as when it
// ends.
func (r *recorder) measureRound(cmd *cobra.Command, plan run.Plan, sink *results.Raw, progress run.Progress) error {
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, cmd.InOrStdin())
		cancel()
	}()
	plan.Earlier, plan.Round = r.earlier, r.round
	return plan.Run(ctx, sink, func(done, total int, what string) {
		progress(r.round*total+done, plan.Rounds*total, what)
	})
}

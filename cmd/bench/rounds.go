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

	"timerlab"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
)

// A layout is a build of a program in which the linker put the functions into another order. Which of them share
// a set of a cache, or a line, changes times by some percent, so samples of one layout have too narrow an interval.

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

func layoutsFlag(r *request) {
	addFlag(r.flags, &r.layouts, "layouts", fmt.Sprintf("1-%d", mostLayouts),
		"linker `seeds` of the builds that measure rounds in turn; 0: this executable measures all", parseLayouts)
}

// programs returns the executables of the layouts that measure some rounds. Without the source or the go command it is
// this one, and the user is informed.
func (l layouts) programs(cmd *cobra.Command, rounds int) (all []string, err error) {
	self, err := os.Executable()
	if err != nil || l.first == 0 {
		return []string{self}, err
	}
	root, err := repositoryOfThis()
	bar, builds := newProgress(cmd), min(rounds, l.last-l.first+1)
	defer bar.finish()
	for i := 0; err == nil && i < builds; i++ {
		bar.run(i, builds, fmt.Sprintf("building layout %d", l.first+i))
		var program string
		program, err = run.Build(cmd.Context(), root, fmt.Sprintf("bench-layout-%d", l.first+i), "build", "-buildvcs=false",
			fmt.Sprintf("-ldflags=-s -w -randlayout=%d", l.first+i), "./cmd/bench")
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

// thisRepository returns the repository around the working directory if this executable was built from its code.
func thisRepository() (string, error) {
	root, err := run.Repository()
	if err != nil {
		return "", err
	}
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

// prepareRounds prepares to measure each round of the request's plan in a process of its own.
func prepareRounds(cmd *cobra.Command, r *request) (measure func(*results.Raw) error, err error) {
	plan, err := r.plan()
	if err != nil {
		return nil, err
	}
	rounds := plan.AllRounds()
	programs, err := r.layouts.programs(cmd, rounds)
	if err != nil {
		return nil, err
	}
	return func(sink *results.Raw) error {
		err := errors.Join(sink.Rounds(rounds), sink.Note(fmt.Sprintf(
			"seed %d, %d rounds, each a process, of %s; the clock resolves %v", plan.Seed, rounds,
			units.Plural(len(programs), "layout"), run.ClockLimit()/run.ClockSteps)))
		if err != nil {
			return err
		}
		var wrong error // an outcome, which does not end the run
		for round := range rounds {
			err := startRound(cmd, programs[round%len(programs)], r.raw, sink.File(), round)
			switch known, ok := errors.AsType[failure](err); {
			case ok && known.code == exitUnverified:
				wrong = err
			case err != nil:
				return err
			}
		}
		return errors.Join(wrong, sink.Finish())
	}, nil
}

// startRound adds a round to a raw file, by a process whose standard output the file is. So the file stays locked from
// the first round to the last, and as long as a process may write to it if this one is killed.
func startRound(cmd *cobra.Command, program, raw string, file *os.File, round int) error {
	child := exec.CommandContext(cmd.Context(), program, "round", raw, strconv.Itoa(round))
	child.Env = environment(round)
	child.Stdout, child.Stderr = file, cmd.ErrOrStderr()
	stdin, err := child.StdinPipe()
	if err != nil {
		return err
	}
	child.Cancel = stdin.Close
	var exit *exec.ExitError
	switch err = child.Run(); {
	case err == nil:
		return nil
	case !errors.As(err, &exit) || exit.ExitCode() < 0:
		return fmt.Errorf("round %d: %w", round+1, cmp.Or(cmd.Context().Err(), err)) // an interrupt may end both
	}
	return failure{errPrinted, exit.ExitCode()}
}

// environment returns the environment of a round's process. Its size decides where the stack begins: in up to 4 KiB, a
// page, it takes another step of 97 bytes, which is no part of a line of the cache.
func environment(round int) []string {
	return append(os.Environ(), "TIMERLAB_ROUND="+strings.Repeat("x", 1+97*round%4096))
}

// newRound returns the verb of the process of a round, which only startRound calls.
func newRound() *cobra.Command {
	return &cobra.Command{Use: "round RAW ROUND", Hidden: true, Args: takes(2, 2, "a raw file and a round"),
		RunE: func(cmd *cobra.Command, args []string) error {
			round, err := strconv.Atoi(args[1])
			if err != nil {
				return usage(err)
			}
			return kept(measureRound(cmd, args[0], round), args[0])
		}}
}

// measureRound measures one round of the plan of a raw file. It writes the rows to standard output until the round is
// done, or the process that started this one closes its standard input, as when it ends.
func measureRound(cmd *cobra.Command, raw string, round int) error {
	earlier, err := results.LoadUnfinished(raw)
	if err != nil {
		return err
	}
	r, err := parseRequest(earlier.Sources[0].Args)
	if err != nil {
		return err
	}
	plan, err := r.plan()
	if err := cmp.Or(err, r.identify(earlier)); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, cmd.InOrStdin())
		cancel()
	}()
	sink, err := results.NewRaw(os.NewFile(os.Stdout.Fd(), raw), r.machine) // so that errors name the file
	if err != nil {
		return err
	}
	plan.Earlier, plan.Round = earlier, round
	bar := newProgress(cmd)
	defer bar.finish()
	return errors.Join(plan.Run(ctx, sink, bar.run), sink.Close())
}

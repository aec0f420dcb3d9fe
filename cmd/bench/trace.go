package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness/run"
	"timerlab/harness/workload/tracefile"
)

func newTrace() *cobra.Command {
	trace := verb("trace", noArgs, func(cmd *cobra.Command, _ []string) error { // cobra would exit with 0
		return usagef("trace needs a verb (have %s)", strings.Join(verbNames(cmd), ", "))
	})
	var hz int
	stat := verb("stat", takes(1, 1, "one file"), func(cmd *cobra.Command, args []string) error {
		t, err := readTrace(cmd, args[0], hz, 1)
		if err != nil {
			return err
		}
		return t.WriteText(cmd.OutOrStdout())
	})
	hzFlag(stat.Flags(), &hz)
	trace.AddCommand(stat)
	return trace
}

// hzFlag adds --hz of the verbs that read traces.
func hzFlag(f *pflag.FlagSet, hz *int) {
	addFlag(f, hz, "hz", "", "`ticks` per second of the kernel (CONFIG_HZ), for its traces",
		whole[int](1, 1_000_000))
}

// readTrace reads a file, or the standard input if its name is -.
func readTrace(cmd *cobra.Command, name string, hz int, seed uint64) (*tracefile.Stat, error) {
	bar := newProgress(cmd)
	in := &reading{Reader: cmd.InOrStdin(), ctx: cmd.Context(), progress: bar.run}
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if about, err := f.Stat(); err == nil {
			in.size = about.Size()
		}
		in.Reader = f
	}
	t, err := tracefile.Read(in, tracefile.Options{Hz: hz, Seed: seed})
	bar.finish()
	switch {
	case err == nil:
		return t, nil
	case errors.Is(err, tracefile.ErrHz):
		err = fmt.Errorf("%w (use --hz 100, 250, 300 or 1000, as zgrep CONFIG_HZ= /proc/config.gz shows)", err)
	case errors.Is(err, tracefile.ErrText):
		return nil, usagef("%s: %w (drop --hz; a line such as # tick: 1ms in the file says how long a tick is)", name, err)
	}
	return nil, fmt.Errorf("%s: %w", name, err)
}

// reading is a trace that is read, with progress, until the command is interrupted.
type reading struct {
	io.Reader
	ctx        context.Context
	progress   run.Progress
	done, size int64 // bytes
}

func (r *reading) Read(b []byte) (n int, err error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err = r.Reader.Read(b)
	r.done += int64(n)
	r.progress(int(r.done>>20), int(max(r.size, r.done)>>20), "MiB of the trace")
	return n, err
}

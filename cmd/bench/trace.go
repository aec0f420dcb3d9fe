package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"al.essio.dev/pkg/shellescape"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness/report"
	"timerlab/harness/workload"
	"timerlab/harness/workload/tracefile"
)

func newTrace() *cobra.Command {
	trace := &cobra.Command{
		Use:   "trace VERB",
		Short: "Read what the timers of a real program did",
		Long: `Read a trace of a real program: text, with one operation a line, or Linux's timer
tracepoints as ftrace or perf script print them; compressed with gzip or not; - is the
standard input. A trace is read line by line and may be larger than memory.

	trace-cmd record -e timer:timer_start -e timer:timer_cancel -e timer:timer_expire_entry
	perf record -a -e timer:timer_start,timer:timer_cancel,timer:timer_expire_entry

A Go program can write one with package harness/workload/record.`,
		Example: "  bench trace stat timers.txt.gz\n  bench trace check timers.txt.gz",
		Args:    noArgs,
		RunE:    needsVerb,
	}
	trace.AddCommand(
		newTraceVerb("stat", "Print ratios, quantiles, n over time, and the workload most like the trace", writeStat),
		newTraceVerb("check", "Read to the end, and report the first bad line", func(w io.Writer, t *tracefile.Stat) error {
			_, err := fmt.Fprintf(w, "ok: %s in %s, %s\n", count(t.Operations, "operation"), t.Span(), t.Left())
			return err
		}))
	return trace
}

// newTraceVerb returns a verb that reads a trace and writes it as text; the other formats
// are tables of all its numbers.
func newTraceVerb(name, short string, text func(io.Writer, *tracefile.Stat) error) *cobra.Command {
	var hz uint64
	var format report.Format
	c := &cobra.Command{
		Use: name + " FILE", Short: short,
		Example: "  bench trace " + name + " timers.txt.gz\n" +
			"  perf script | bench trace " + name + " --hz 250 -\n" +
			"  bench trace " + name + " --format json timers.txt.gz",
		Args: takes(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := readTrace(cmd.InOrStdin(), args[0], int(hz), 1)
			if err != nil {
				return err
			}
			if format == report.Text {
				return text(cmd.OutOrStdout(), t)
			}
			table := report.NewTable("quantity", "value")
			for _, v := range t.Values() {
				table.Add(v.Name, report.Cell{Text: strconv.FormatFloat(v.Value, 'f', -1, 64), Value: v.Value})
			}
			return table.Write(cmd.OutOrStdout(), format)
		},
	}
	hzFlag(c.Flags(), &hz)
	formatFlag(c.Flags(), &format)
	return c
}

// hzFlag adds --hz of the verbs that read traces.
func hzFlag(f *pflag.FlagSet, hz *uint64) {
	f.Var(countWithin(hz, 1, 1_000_000, ""), "hz",
		"ticks per second of the kernel (CONFIG_HZ), if its trace is too short to show it")
}

// readTrace reads a file, or the standard input if its name is -.
func readTrace(stdin io.Reader, name string, hz int, seed uint64) (*tracefile.Stat, error) {
	r := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	t, err := tracefile.Read(r, tracefile.Options{Hz: hz, Seed: seed})
	if errors.Is(err, tracefile.ErrHz) {
		err = fmt.Errorf("%w (use --hz 100, 250, 300 or 1000, as zgrep CONFIG_HZ= /proc/config.gz shows)", err)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return t, err
}

// writeStat writes the numbers of a trace, the workload most like it as flags of pick, and
// how far apart they are.
func writeStat(out io.Writer, t *tracefile.Stat) error {
	if err := t.WriteText(out); err != nil || len(t.Lives) == 0 {
		return err
	}
	tick := t.Tick
	if tick == 0 { // the fit is the same with any
		tick = time.Millisecond
	}
	f, fitOff := workload.FitTo(max(1, int(math.Round(t.N()))), tick, t.Lives)
	c, got, seen := f.Classes[0], f.Numbers(), workload.NumbersOf(f.N, t.Lives)
	flags := fmt.Sprintf(" -n %d --tick %v --interval %s", f.N, tick, shellescape.Quote(c.Interval.String()))
	if c.Stop.Share > 0 {
		flags += " --stop " + shellescape.Quote(c.Stop.String())
	}
	if c.Restart.Share > 0 {
		flags += " --restart " + shellescape.Quote(c.Restart.String())
	}
	fmt.Fprintf(out, "\nfitted: bench pick%s\n", flags)
	if t.Tick == 0 {
		fmt.Fprintf(out, "  (assuming a tick of 1ms, as the trace does not give its length)\n")
	}
	var off []string
	for _, what := range slices.Sorted(maps.Keys(fitOff)) {
		off = append(off, fmt.Sprintf("%s %.2g %%", what, 100*fitOff[what]))
	}
	_, err := fmt.Fprintf(out, "  R = %.4g ticks (trace: %.4g), %.3g %% stopped (%.3g), %.3g %% restarted (%.3g); "+
		"distributions differ by at most: %s\n", got.Residence, seen.Residence, 100*got.Stopped, 100*seen.Stopped,
		100*got.Restarted, 100*seen.Restarted, strings.Join(off, ", "))
	return err
}

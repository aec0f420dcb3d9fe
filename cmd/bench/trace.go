package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"timerlab/harness/results"

	"github.com/spf13/cobra"

	"timerlab/harness/workload"
	"timerlab/harness/workload/tracefile"
	"timerlab/schemes"
)

func newTrace() *cobra.Command {
	var hz uint64
	trace := &cobra.Command{
		Use:   "trace VERB",
		Short: "Read what the timers of a real program did",
		Long: `Read traces: text of ours, a line an operation, or Linux's timer tracepoints as ftrace
or perf script print them; compressed with gzip or not; - is the standard input. A trace
is read a line at a time and may be larger than memory.

	trace-cmd record -e timer:timer_start -e timer:timer_cancel -e timer:timer_expire_entry
	perf record -a -e timer:timer_start,timer:timer_cancel,timer:timer_expire_entry

A Go program can write one with package harness/workload/record.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown verb %q of trace, allowed %s", args[0], strings.Join(verbs(cmd), ", "))
			}
			return usagef("trace: which verb? allowed %s", strings.Join(verbs(cmd), ", "))
		},
	}
	for _, verb := range []struct {
		name, short string
		print       func(io.Writer, *tracefile.Stat, []workload.Life) error
	}{
		{"stat", "Print ratios, quantiles, n over time and the workload that is most like it", printStat},
		{"check", "Read to the end, and name the first line that is not right", printChecked},
	} {
		c := &cobra.Command{
			Use: verb.name + " FILE", Short: verb.short,
			Args: func(_ *cobra.Command, args []string) error {
				if len(args) != 1 {
					return usagef("trace %s takes one file, got %d", verb.name, len(args))
				}
				return nil
			},
			RunE: func(cmd *cobra.Command, args []string) error {
				s, lives, err := drawLives(cmd.InOrStdin(), args[0], int(hz), 1)
				if err != nil {
					return err
				}
				return verb.print(cmd.OutOrStdout(), s, lives)
			},
		}
		c.Flags().Var(number{&hz, 1, 1_000_000}, "hz", "ticks that the kernel counts in a second (CONFIG_HZ), if its trace does not tell")
		trace.AddCommand(c)
	}
	return trace
}

// readTrace reads a trace to its end, and hands each life to visit, unless that is nil.
func readTrace(stdin io.Reader, name string, hz int, visit func(tracefile.Life)) (*tracefile.Stat, error) {
	r := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	t, err := tracefile.Read(r, tracefile.Options{Hz: hz})
	if err == nil {
		var s *tracefile.Stat
		if s, err = tracefile.NewStat(t, visit); err == nil {
			return s, nil
		}
	}
	if errors.Is(err, tracefile.ErrHz) {
		err = fmt.Errorf("%w; allowed: --hz 100, 250, 300 or 1000, as zgrep CONFIG_HZ= /proc/config.gz tells", err)
	}
	return nil, fmt.Errorf("%s: %w", name, err)
}

func printChecked(w io.Writer, s *tracefile.Stat, _ []workload.Life) error {
	_, err := fmt.Fprintf(w, "right: %d operations in %s, %s\n", s.Operations, ticks(s.Trace, float64(s.Length())), left(s))
	return err
}

// left says what did not end within the trace, and what is missing from it.
func left(s *tracefile.Stat) string {
	text := fmt.Sprintf("%s outstanding at its end", count(s.Outstanding, "timer"))
	if s.Unknown > 0 {
		text += fmt.Sprintf(", %s that began before it", count(s.Unknown, "end"))
	}
	if s.Lost > 0 {
		text += fmt.Sprintf(", %s lost by the kernel", count(s.Lost, "event"))
	}
	if s.Cut {
		text += ", the last line cut off and left out"
	}
	for _, key := range slices.Sorted(maps.Keys(s.Header)) { // what a recorder left out
		if strings.HasPrefix(key, "dropped ") || strings.HasSuffix(key, " left out") {
			text += fmt.Sprintf("; %s: %s", key, s.Header[key])
		}
	}
	return text
}

// ticks writes a number of ticks, and the time if a tick's is known.
func ticks(t *tracefile.Trace, n float64) string {
	text := fmt.Sprintf("%.4g ticks", n)
	if n == float64(uint64(n)) && n < 1e6 {
		text = fmt.Sprintf("%d ticks", uint64(n))
	}
	if t.Tick > 0 && n*float64(t.Tick) < float64(1<<62) {
		text += fmt.Sprintf(" (%v)", roundDuration(time.Duration(n*float64(t.Tick))))
	}
	return text
}

// roundDuration leaves three digits, but no less than seconds.
func roundDuration(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 && unit < time.Second {
		unit *= 10
	}
	return d.Round(unit)
}

func printStat(out io.Writer, s *tracefile.Stat, lives []workload.Life) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	t := s.Trace
	kind := "text"
	if t.Kernel {
		kind = fmt.Sprintf("Linux's timer tracepoints, %d ticks a second", time.Second/t.Tick)
	}
	row("trace", "%s", kind)
	if source := t.Header["source"]; source != "" {
		row("source", "%s", source)
	}
	row("length", "%s, %d operations", ticks(t, float64(s.Length())), s.Operations)
	row("n", "%.4g on average, at most %d; %s", s.N(), s.Peak, left(s))
	row("λ", "%.4g timers begun a tick%s", s.Rate(), perSecond(t, s.Rate()))
	if s.Ended() == 0 {
		row("R", "unknown: no timer ended")
		return w.Flush()
	}
	row("R = n/λ", "%s", ticks(t, s.Residence()))
	row("ended", "%.3g %% expired, %.3g %% stopped, %.3g %% restarted", 100*s.Share(tracefile.Expired), 100*s.Share(tracefile.Stopped), 100*s.Share(tracefile.Restarted))
	row("", "")
	row("", "p1\tp10\tp50\tp90\tp99\tp99.9\tmax")
	for _, q := range []struct {
		name string
		q    *tracefile.Quantiles
	}{{"interval, ticks", s.Intervals}, {"stay, ticks", s.Stays}} {
		cells := []string{q.name}
		for _, p := range []float64{1, 10, 50, 90, 99, 99.9, 100} {
			cells = append(cells, results.FormatCount(uint64(q.q.At(p))))
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nn over time, a column for every %s, at most %d:\n%s\n", ticks(t, float64(wide(t.History))), s.Peak, spark(t.History, s.Peak))
	return printFitted(out, s, lives)
}

// printFitted prints the demand that is most like the trace, as flags of pick, and how
// far it is from it.
func printFitted(out io.Writer, s *tracefile.Stat, lives []workload.Life) error {
	tick := s.Tick
	if tick == 0 { // told nowhere: the fit is the same with any
		tick = time.Millisecond
	}
	f, err := workload.FitTo(max(1, int(math.Round(s.N()))), tick, lives)
	if err != nil {
		return err
	}
	c, got, seen := f.Classes[0], f.Numbers(), workload.NumbersOf(f.N, lives)
	flags := fmt.Sprintf(" -n %d --tick %v --interval %s", f.N, tick, shellWord(c.Interval.String()))
	if c.Stops > 0 {
		flags += " --stop " + shellWord(fmt.Sprintf("%.4g@%v", c.Stops, c.Stop))
	}
	if c.Restart.HasDurations() {
		flags += " --restart " + shellWord(c.Restart.String())
	}
	fmt.Fprintf(out, "\nfitted: bench pick%s\n", flags)
	if s.Tick == 0 {
		fmt.Fprintf(out, "  (a tick of 1ms is assumed, as the trace tells none)\n")
	}
	var off []string
	for _, what := range slices.Sorted(maps.Keys(f.Off)) {
		off = append(off, fmt.Sprintf("%s %.2g %%", what, 100*f.Off[what]))
	}
	_, err = fmt.Fprintf(out, "  R = %.4g ticks (trace: %.4g), %.3g %% stopped (%.3g), %.3g %% restarted (%.3g); distributions are off by at most: %s\n",
		got.Residence, seen.Residence, 100*got.Stopped, 100*seen.Stopped, 100*got.Restarted, 100*seen.Restarted, strings.Join(off, ", "))
	return err
}

func perSecond(t *tracefile.Trace, rate float64) string {
	if t.Tick == 0 {
		return ""
	}
	return fmt.Sprintf(", %.4g a second", rate*float64(time.Second)/float64(t.Tick))
}

// columns is how wide a line of n over time is at most.
const columns = 64

// wide returns how many ticks a column of spark stands for.
func wide(h tracefile.History) schemes.Tick {
	return h.Width * schemes.Tick((len(h.Most)+columns-1)/columns)
}

// spark draws n over time in a line.
func spark(h tracefile.History, peak int) string {
	var b strings.Builder
	step := (len(h.Most) + columns - 1) / columns
	for at := 0; at < len(h.Most); at += step {
		n := slices.Max(h.Most[at:min(at+step, len(h.Most))])
		b.WriteRune([]rune(" ▁▂▃▄▅▆▇█")[(n*8+peak-1)/max(peak, 1)])
	}
	return b.String()
}

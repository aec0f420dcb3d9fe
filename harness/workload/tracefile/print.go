package tracefile

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/perf/benchunit"

	"timerlab/harness/workload"
)

var (
	percents      = []float64{1, 10, 50, 90, 99, 99.9, 100}
	quantileNames = []string{"interval", "stay"} // of the lifetimes that ended
)

// WriteText writes ratios and quantiles.
func (s *Stat) WriteText(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	if s.Kernel {
		row("trace", "Linux's timer tracepoints, %d ticks per second", time.Second/s.Tick)
	} else {
		row("trace", "text")
	}
	if source := s.Header["source"]; source != "" {
		row("source", "%s", source)
	}
	row("length", "%s, %d operations", s.ticks(float64(s.length())), s.Operations)
	row("n", "%s on average, at most %d; %s", number(s.N()), s.Peak, s.Left())
	perSecond := ""
	if s.Tick > 0 {
		perSecond = fmt.Sprintf(", %s per second", number(s.rate()*float64(time.Second)/float64(s.Tick)))
	}
	row("λ", "%s timers begun per tick%s", number(s.rate()), perSecond)
	if s.Ended() == 0 {
		row("T", "unknown: no timer ended")
		return w.Flush()
	}
	row("T = n/λ", "%s", s.ticks(s.meanStay()))
	share := func(f workload.Fate) float64 { return 100 * s.Share(f) }
	row("ended", "%.3g %% expired, %.3g %% stopped, %.3g %% restarted",
		share(workload.Expired), share(workload.Stopped), share(workload.Restarted))
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\n\tp1\tp10\tp50\tp90\tp99\tp99.9\tmax")
	for i, q := range []*quantiles{s.Intervals, s.Stays} {
		fmt.Fprint(w, quantileNames[i], ", ticks")
		for _, p := range percents {
			fmt.Fprint(w, "\t", number(float64(q.At(p))))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// Left says how many timers did not end within the trace, and what is missing from it.
func (s *Stat) Left() string {
	timers := counted(s.Outstanding, "timer", "outstanding at the end")
	if missing := s.Missing(); len(missing) > 0 {
		return timers + "; missing: " + strings.Join(missing, "; ")
	}
	return timers
}

func counted(n int, thing, which string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s %s", n, thing, which)
}

// Span returns the length of the trace in ticks, and in time if that is known.
func (s *Stat) Span() string { return s.ticks(float64(s.length())) }

// ticks writes a number of ticks, and the time if the length of a tick is known.
func (s *Stat) ticks(n float64) string {
	text := number(n) + " ticks"
	if s.Tick > 0 && n*float64(s.Tick) < float64(1<<62) {
		text += fmt.Sprintf(" (%v)", time.Duration(n*float64(s.Tick)).Round(s.Tick))
	}
	return text
}

// number writes a whole number below a million in full, others with four digits.
func number(v float64) string {
	switch {
	case v == float64(int64(v)) && v < 1e6:
		return fmt.Sprintf("%d", int64(v))
	case v >= 1e6 && v < 1e15:
		return benchunit.Scale(v, benchunit.Decimal)
	}
	return fmt.Sprintf("%.4g", v)
}

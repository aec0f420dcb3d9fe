package run

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"timerlab/schemes"
)

// stopwatch sums the laps of a run, and the operations that the scheme counted in each
// kind of lap.
type stopwatch struct {
	time    [NumLaps]time.Duration
	n       [NumLaps]uint64
	laps    [NumLaps]uint64
	counts  [NumLaps]schemes.Counts
	counter schemes.Counter // the scheme, if it counts
	before  schemes.Counts
	begun   time.Duration
}

func newStopwatch(s schemes.Scheme) *stopwatch {
	w := &stopwatch{}
	if c, ok := s.(schemes.Counter); ok {
		w.counter, w.before = c, c.Counts()
	}
	return w
}

func (w *stopwatch) Each() bool { return false }

func (w *stopwatch) Begin() { w.begun = read() }

func (w *stopwatch) End(lap Lap, n int) {
	w.time[lap] += read() - w.begun
	w.n[lap] += uint64(n)
	w.laps[lap]++
	if w.counter == nil {
		return
	}
	now := w.counter.Counts()
	w.counts[lap] = w.counts[lap].Add(now.Sub(w.before))
	w.before = now
}

// Latencies is a watch that keeps the time of every single PerTick.
type Latencies struct {
	ticks     *hdrhistogram.Histogram
	tick      int
	worst     time.Duration
	worstTick int
	begun     time.Duration
}

// NewLatencies returns an empty Latencies.
func NewLatencies() *Latencies {
	return &Latencies{ticks: hdrhistogram.New(1, int64(time.Minute), 3)}
}

// At returns the quantile of a percentage, to three digits.
func (l *Latencies) At(percent float64) time.Duration {
	return time.Duration(l.ticks.ValueAtQuantile(percent))
}

// Count returns the number of ticks.
func (l *Latencies) Count() int { return l.tick }

// Worst returns the longest time.
func (l *Latencies) Worst() time.Duration { return l.worst }

func (l *Latencies) Each() bool { return true }

func (l *Latencies) Begin() { l.begun = read() }

func (l *Latencies) End(lap Lap, n int) {
	if lap == Ticks {
		l.record(read() - l.begun)
	}
}

// record adds the next tick's time.
func (l *Latencies) record(took time.Duration) {
	l.tick++
	_ = l.ticks.RecordValue(min(int64(took), int64(time.Minute)))
	if took > l.worst {
		l.worst, l.worstTick = took, l.tick
	}
}

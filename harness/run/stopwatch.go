package run

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"timerlab/harness/drive"
)

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

func (l *Latencies) Begin() { l.begun = drive.Clock() }

func (l *Latencies) End(lap drive.Lap, n int) {
	if lap == drive.Ticks {
		l.record(drive.Clock() - l.begun)
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

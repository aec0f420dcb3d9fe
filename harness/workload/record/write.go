package record

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"timerlab/harness/workload/tracefile"
	"timerlab/schemes"
)

// write writes the recorded calls at each interval, until Close. spare is a buffer as
// large as a shard's.
func (r *Recorder) write(every time.Duration, spare []call) {
	defer close(r.stopped)
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			spare = r.cut(spare)
		case done := <-r.flush:
			spare = r.cut(spare)
			close(done)
		case <-r.stop:
			r.cut(spare)
			r.writeCalls(math.MaxInt64)
			r.footer()
			r.flushTrace()
			return
		}
	}
}

// flushTrace hands what the trace buffers to the caller's writer.
func (r *Recorder) flushTrace() {
	if err := r.trace.Flush(); err != nil {
		r.err.CompareAndSwap(nil, &err)
	}
}

// cut writes all calls from before now.
func (r *Recorder) cut(spare []call) []call {
	now := time.Since(r.began)
	for k := range r.shards {
		s := &r.shards[k]
		s.mu.Lock()
		s.calls, spare = spare[:0], s.calls
		r.droppedCalls += s.dropped
		s.dropped = 0
		s.mu.Unlock()
		r.waiting = append(r.waiting, spare...)
	}
	r.writeCalls(now)
	r.flushTrace()
	return spare
}

// writeCalls writes the waiting calls from before a time, in order.
func (r *Recorder) writeCalls(before time.Duration) {
	slices.SortStableFunc(r.waiting, func(a, b call) int { return cmp.Compare(a.at, b.at) })
	n := 0
	for ; n < len(r.waiting) && r.waiting[n].at < before; n++ {
		r.writeCall(r.waiting[n])
	}
	r.waiting = slices.Delete(r.waiting, 0, n)
}

func (r *Recorder) writeCall(c call) {
	at, timer := schemes.Tick(c.at/r.tick), uint64(c.timer&^restarts)
	interval := r.ticks(c.at, c.interval)
	switch {
	case c.interval == 0:
		if !r.trace.Write(at, tracefile.Stop, timer, 0) {
			r.lateStops++
		}
	case c.timer&restarts != 0 && r.trace.Write(at, tracefile.Restart, timer, interval):
	case r.trace.Outstanding() >= r.most:
		r.droppedStarts++
	case !r.trace.Write(at, tracefile.Start, timer, interval):
		r.badStarts++
	}
}

// ticks returns an interval in ticks: from the tick on which it begins to the first that
// does not come before its end, so that a stop before the end comes before the expiry.
func (r *Recorder) ticks(at, interval time.Duration) schemes.Tick {
	rest := interval%r.tick + at%r.tick
	return min(schemes.Tick(interval/r.tick+(rest+r.tick-1)/r.tick), tracefile.MaxTicks)
}

// footer reports what is not in the trace.
func (r *Recorder) footer() {
	report := func(what string, n uint64, why string) {
		if n > 0 {
			r.trace.Header(what, fmt.Sprintf("%d, %s", n, why))
		}
	}
	report("dropped calls", r.droppedCalls, "which came faster than they were written")
	report("dropped starts", r.droppedStarts, fmt.Sprintf("while %d timers were outstanding", r.most))
	report("stops left out", r.lateStops, "of timers whose interval had passed or whose start was dropped")
	report("starts left out", r.badStarts, "of timers that were outstanding")
}

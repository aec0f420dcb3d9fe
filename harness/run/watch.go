package run

import (
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Lap is the kind of operation that one interval of a run times.
type Lap int

// Laps.
const (
	Starts Lap = iota
	Stops
	Restarts
	Ticks   // PerTick, without Expire
	Expires // Expire, with an action that sums a checksum
	NumLaps
)

var lapOf = [...]Lap{workload.Start: Starts, workload.Stop: Stops, workload.Restart: Restarts}

// String returns the operation in the names of benchmarks.
func (l Lap) String() string {
	return [...]string{"Start", "Stop", "Restart", "PerTick", "Expire"}[l]
}

// Watch times a run by laps. A lap is as long as the trace allows: the ticks between two
// groups of operations, or the operations of one kind in a group. Expire then runs once
// after the ticks of a lap, not after each, so that the two are timed separately; which
// timers are due on which tick does not change.
type Watch interface {
	Begin()
	End(lap Lap, n int) // n operations, or ticks, since Begin
	Each() bool         // whether every PerTick is a lap of its own
}

func (d *Drive) watchTicks(n schemes.Tick, w Watch) {
	lap := n
	if w.Each() {
		lap = 1
	}
	for left := n; left > 0; left -= lap {
		w.Begin()
		for range lap {
			d.now++
			if due := d.scheme.PerTick(); due > 0 {
				d.due.add(d.now, due)
			}
		}
		w.End(Ticks, int(lap))
		if !d.due.any() {
			continue
		}
		before := d.got.Expired
		w.Begin()
		d.scheme.Expire(d.expired)
		w.End(Expires, int(d.got.Expired-before))
	}
}

// dueTicks is a queue of the ticks on which the timers became due that Expire hands out:
// earlier ticks come first, and PerTick reports the number of timers for each.
type dueTicks struct {
	runs []dueRun
	at   int          // the next run, after the present one
	left int          // timers of the present run not yet handed out
	tick schemes.Tick // of the present run
}

type dueRun struct {
	tick schemes.Tick
	due  int
}

// any reports whether timers are due that have not been handed out.
func (q *dueTicks) any() bool { return q.left > 0 || q.at < len(q.runs) }

func (q *dueTicks) add(tick schemes.Tick, due int) {
	if q.left == 0 && q.at == len(q.runs) { // all handed out: no need to queue
		q.runs, q.at = q.runs[:0], 0
		q.tick, q.left = tick, due
		return
	}
	q.runs = append(q.runs, dueRun{tick, due})
}

// next returns the tick of the next timer handed out, or 0, which no expiry has, if the
// scheme hands out more than PerTick reported: such a run fails its outcome.
func (q *dueTicks) next() schemes.Tick {
	if q.left == 0 {
		if q.at == len(q.runs) {
			return 0
		}
		q.tick, q.left = q.runs[q.at].tick, q.runs[q.at].due
		q.at++
	}
	q.left--
	return q.tick
}

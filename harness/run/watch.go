package run

import (
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Lap is what a stretch of a run did.
type Lap int

// Laps.
const (
	Starts Lap = iota
	Stops
	Restarts
	Ticks   // PerTick, without Expire
	Expires // Expire, with an action that adds up a checksum
	NumLaps
)

var lapOf = [...]Lap{workload.Start: Starts, workload.Stop: Stops, workload.Restart: Restarts}

// String returns the lap's name in the names of benchmarks.
func (l Lap) String() string {
	return [...]string{"Start", "Stop", "Restart", "PerTick", "Expire"}[l]
}

// Watch times a run by laps. A lap is as long as the trace allows: the ticks
// between two groups of operations, or the operations of one kind in a group.
// Expire then runs once behind the ticks of a lap, not after each, so that the
// two are timed apart; what is due on which tick is the same.
type Watch interface {
	Begin()
	End(lap Lap, n int) // n operations, or ticks, since Begin
	// Each reports whether every PerTick is to be a lap of its own.
	Each() bool
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
		d.watchExpire(w)
	}
}

// watchExpire hands out what is due, if anything is.
func (d *Drive) watchExpire(w Watch) {
	if !d.due.any() {
		return
	}
	before := d.got.Expired
	w.Begin()
	d.scheme.Expire(d.expired)
	w.End(Expires, int(d.got.Expired-before))
}

// dueTicks tells at which tick each timer became due that Expire hands out:
// earlier ticks come first, and PerTick said how many each moved.
type dueTicks struct {
	runs []dueRun
	at   int          // the run that the next timer is of, once left is used up
	left int          // timers to come of the present tick
	tick schemes.Tick // the present tick
}

type dueRun struct {
	tick schemes.Tick
	due  int
}

// any reports whether timers are due that were not handed out.
func (q *dueTicks) any() bool { return q.left > 0 || q.at < len(q.runs) }

func (q *dueTicks) add(tick schemes.Tick, due int) {
	if q.left == 0 && q.at == len(q.runs) { // all handed out: no need to queue
		q.runs, q.at = q.runs[:0], 0
		q.tick, q.left = tick, due
		return
	}
	q.runs = append(q.runs, dueRun{tick, due})
}

// next returns the tick of the next timer handed out. A scheme that hands out
// more than PerTick said gets a tick that no expiry has, and fails the outcome.
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

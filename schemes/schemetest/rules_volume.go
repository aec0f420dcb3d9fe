package schemetest

import (
	"fmt"

	"timerlab/schemes"
)

// Sizes of the volume: a scheme that loses one timer in a hundred thousand is
// caught for certain if it counts them, and nearly so if it rolls a die.
const (
	volumeTimers  = 600_000
	volumeAtATime = 64 // outstanding, so that schemes of O(n) are quick too
	volumeLong    = 16 // longest interval
)

// volume is a long run that compares less than the machine does, and so passes a
// million timers in a tenth of a second. It keeps volumeAtATime timers going: the
// action of each starts the next. Every few starts one more is started and soon
// stopped.
type volume struct {
	*suite
	setting
	scheme  schemes.Scheme
	oracle  *oracle // of a scheme with a Bound, else nil
	longest schemes.Tick
	now     schemes.Tick
	started schemes.ID     // also the newest ID
	due     [][]schemes.ID // by deadline modulo its length
	got     []schemes.ID
}

func checkVolume(s *suite) {
	few := narrow(settings(s.info), fewSlots)
	for i, c := range []setting{few[len(few)/2], few[len(few)-1].at(1<<32 - 5)} {
		v := &volume{suite: s, setting: c, scheme: s.scheme(c), longest: c.most(volumeLong), now: c.cfg.Now}
		v.oracle = s.oracles.about(c, v.scheme)
		ring := v.longest // of the longest time that a timer may take
		for interval := schemes.Tick(1); v.oracle != nil && interval <= v.longest; interval++ {
			ring = max(ring, v.oracle.latest(v.now, interval))
		}
		v.due = make([][]schemes.ID, ring+1)
		v.run(volumeTimers >> (2 * i))
	}
}

// fail ends the check, as the rule volume is broken.
func (v *volume) fail(format string, args ...any) {
	what := fmt.Sprintf("%d timers, %d at a time, each started by the action of another", v.started, volumeAtATime)
	v.failAfter([]string{v.String(), what}, format, args...)
}

// run starts about n timers and compares what is due on each tick.
func (v *volume) run(n int) {
	for range volumeAtATime {
		v.start()
	}
	action := func(id schemes.ID) {
		v.got = append(v.got, id)
		v.start()
	}
	for v.goesOn(int(v.started), n) {
		if v.started%4 == 0 {
			v.stopOne()
		}
		v.now++
		slot := v.slot(v.now)
		want := *slot
		if got := v.scheme.PerTick(); got != len(want) {
			v.fail("PerTick at tick %d returned %d instead of %d: of the IDs %d one was lost", v.now, got, len(want), want)
		}
		v.got = v.got[:0]
		v.scheme.Expire(action)
		if len(v.got) != len(want) || squares(v.got) != squares(want) {
			v.fail("Expire at tick %d handed out the IDs %d instead of %d", v.now, v.got, want)
		}
		*slot = want[:0]
	}
}

// start starts a timer that will be handed out.
func (v *volume) start() {
	v.started++
	interval, wait := v.interval()
	if _, err := v.scheme.Start(interval, v.started); err != nil {
		v.fail("Start(interval %d, id %d) at tick %d failed: %v", interval, v.started, v.now, err)
	}
	slot := v.slot(v.now + wait)
	*slot = append(*slot, v.started)
}

// slot is the IDs that are due on a tick.
func (v *volume) slot(tick schemes.Tick) *[]schemes.ID { return &v.due[tick%schemes.Tick(len(v.due))] }

// interval is that of the timer being started, and the ticks that it takes. An
// oracle costs a scheme for each, so with one there are two intervals on a tick.
func (v *volume) interval() (interval, wait schemes.Tick) {
	if v.oracle == nil {
		interval = 1 + schemes.Tick(v.started*v.started>>3)%v.longest
		return interval, interval
	}
	interval = 1 + (v.now*v.now>>3+schemes.Tick(v.started%2)*5)%v.longest
	return interval, v.oracle.deadline(v.now, interval, endOfClock) - v.now
}

// stopOne starts a timer and stops it, in the place of another one.
func (v *volume) stopOne() {
	v.started++
	h, err := v.scheme.Start(1+schemes.Tick(v.started)%v.longest, v.started)
	v.start()
	if err != nil || !v.scheme.Stop(h) {
		v.fail("the timer with id %d could not be stopped right after its start, error %v", v.started-1, err)
	}
}

// squares is a sum that does not depend on the order of the IDs.
func squares(ids []schemes.ID) (sum schemes.ID) {
	for _, id := range ids {
		sum += id * id
	}
	return sum
}

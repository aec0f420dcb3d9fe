package schemetest

import (
	"fmt"
	"slices"

	"timerlab/schemes"
)

// label names the timer that one start of a program makes; it is printed as h1, h2 and so on. Operations refer
// to timers by label, not by position, so that a program still means the same after some of its operations were
// dropped. 0 is no timer.
type label int

type verb uint8

const (
	opStart   verb = iota // Start(ticks, id), the timer is called label
	opStop                // Stop(target)
	opRestart             // Restart(target, ticks), the new timer is called label; skipped if the scheme has none
	opPerTick             // PerTick, ticks times
	opAdvance             // Advance(ticks); skipped if the scheme has none
	opExpire              // Expire
	opPanic               // panic, in an action only
)

type op struct {
	verb   verb
	label  label        // start, restart: the timer made
	ticks  schemes.Tick // start, restart: the interval; perTick: how often; advance: max
	id     schemes.ID   // start
	target target       // stop, restart
	action []op         // start: what the timer's action does when it is handed out
}

// lines is the program without results: New, then one line for each operation.
func (p *program) lines() []string {
	all := []string{p.setting.String()}
	for i := range p.ops {
		all = append(all, p.ops[i].String())
	}
	return all
}

// target says which handle an operation is given: the one of a timer, with some
// bits flipped, or, without a label, the bits themselves.
type target struct {
	label label
	bits  schemes.Handle
}

// program is operations on the scheme of a setting. Its methods add operations: they deal the labels, and
// give every timer its label as ID.
type program struct {
	setting
	ops  []op
	last label
}

func (t target) String() string {
	switch {
	case t.label == 0 && t.bits == 0:
		return "the zero handle"
	case t.label == 0:
		return fmt.Sprintf("handle %#x", uint64(t.bits))
	case t.bits == 0:
		return fmt.Sprintf("h%d", t.label)
	}
	return fmt.Sprintf("h%d with bits %#x flipped", t.label, uint64(t.bits))
}

func (o *op) String() string {
	switch o.verb {
	case opStart:
		return fmt.Sprintf("Start(interval %d, id %d)", o.ticks, o.id)
	case opStop:
		return fmt.Sprintf("Stop(%v)", o.target)
	case opRestart:
		return fmt.Sprintf("Restart(%v, interval %d)", o.target, o.ticks)
	case opPerTick:
		if o.ticks == 1 {
			return "PerTick()"
		}
		return fmt.Sprintf("%d times PerTick()", o.ticks)
	case opAdvance:
		return fmt.Sprintf("Advance(%d)", o.ticks)
	case opExpire:
		return "Expire()"
	}
	return "panic"
}

// write returns the program that text writes for a setting.
func write(c setting, text func(*program)) program {
	p := program{setting: c}
	text(&p)
	return p
}

func (w *program) start(interval schemes.Tick, action ...op) label {
	return w.startID(interval, schemes.ID(w.last)+1, action...)
}

func (w *program) startID(interval schemes.Tick, id schemes.ID, action ...op) label {
	o := w.later(interval, action...)
	o.id = id
	w.add(o)
	return o.label
}

func (w *program) startAll(intervals ...schemes.Tick) (all []label) {
	for _, interval := range intervals {
		all = append(all, w.start(interval))
	}
	return all
}

// group starts n timers that are due together, the k-th with the action that f
// makes from its number and the labels of all.
func (w *program) group(n int, interval schemes.Tick, f func(k int, all []label) []op) []label {
	first := len(w.ops)
	all := w.startAll(slices.Repeat([]schemes.Tick{interval}, n)...)
	for k := range n {
		w.ops[first+k].action = f(k, all)
	}
	return all
}

// later makes a start that the caller puts into an action.
func (w *program) later(interval schemes.Tick, action ...op) op {
	w.last++
	return op{verb: opStart, label: w.last, ticks: interval, id: schemes.ID(w.last), action: action}
}

func (w *program) add(ops ...op)             { w.ops = append(w.ops, ops...) }
func (w *program) stop(l label)              { w.add(stopping(l)) }
func (w *program) stopBits(h schemes.Handle) { w.flip(0, h) }
func (w *program) tick(n schemes.Tick)       { w.add(op{verb: opPerTick, ticks: n}) }
func (w *program) advance(most schemes.Tick) { w.add(op{verb: opAdvance, ticks: most}) }
func (w *program) expire()                   { w.add(op{verb: opExpire}) }
func (w *program) tickExpire(n schemes.Tick) { w.tick(n); w.expire() }
func (w *program) flip(l label, b schemes.Handle) {
	w.add(op{verb: opStop, target: target{label: l, bits: b}})
}

func stopping(l label) op { return op{verb: opStop, target: target{label: l}} }

// The programs of the rules, written by hand around the places where a rule is easily broken.

func plain(w *program) {
	m := min(w.lowest(), 64)
	a, b, c := w.start(1), w.start(1), w.start(w.most(m))
	w.start(w.longest() + 1)
	w.stop(a)
	w.tickExpire(1)
	w.stop(b)
	w.start(1)
	w.stop(w.start(1))
	w.tick(1)
	w.start(1, stopping(c))
	w.tickExpire(1)
	w.tickExpire(m)
	w.expire()
}

// around starts timers at every boundary up to most, from several places of the wheels, and passes them all.
func around(most schemes.Tick) func(*program) {
	return func(w *program) {
		intervals := w.boundaries(most)
		for _, wait := range []schemes.Tick{1, 1, w.lowest() - 1, 2} {
			w.startAll(intervals...)
			w.tick(wait)
		}
		w.tickExpire(slices.Max(intervals) + 1)
	}
}

// long starts timers whose deadlines differ from the clock, or from each other, only in high bits.
func long(w *program) {
	var last label
	for shift := 1; shift < 64; shift++ {
		for _, more := range []schemes.Tick{0, 1, 5} {
			if t := schemes.Tick(1)<<shift + more; t <= w.longest() {
				last = w.start(t)
			}
		}
	}
	w.start(w.most(endOfClock - w.cfg.Now))
	w.tickExpire(40)
	w.stop(last)
	w.tickExpire(300)
}

// zeroIntervals leaves no timer behind, as the other programs of the lab's first stage, which needs no Stop.
func zeroIntervals(w *program) {
	w.startAll(0, 1, 0)
	w.tickExpire(1)
	w.start(1, w.later(0))
	w.tickExpire(1)
}

// wholeRange starts timers of interval 0, of exactly the range and longer, and passes the range if it is not too
// long to do so tick by tick.
func wholeRange(w *program) {
	longest := w.longest()
	w.startAll(0, longest, longest+1, max(longest, 2*longest), endOfClock)
	w.tick(1)
	w.startAll(longest, longest+1)
	if longest > 1<<17 {
		w.tick(300)
		return
	}
	w.tickExpire(longest)
	if longest <= shortRange {
		w.start(longest, w.later(longest), w.later(longest+1), w.later(0))
		w.tickExpire(longest)
		w.tickExpire(longest)
	}
}

// shortRange is a range that is passed often.
const shortRange = 5000

func toClockEnd(w *program) {
	longest, left := w.longest(), endOfClock-w.cfg.Now
	w.startAll(w.most(left), left, left+1, left+2, longest, endOfClock, endOfClock-1, 1<<63, 1<<63+left)
	w.start(1, w.later(left), w.later(left-1), w.later(left-2))
	w.tickExpire(1)
	w.startAll(left-1, left)
	w.tickExpire(left)
}

// pastClockEnd passes the end; the last three of five PerTicks change nothing, though timers are due.
func pastClockEnd(w *program) {
	w.startAll(1, 2, 2)
	w.tick(5)
	w.start(1)
	w.tickExpire(3)
	w.tickExpire(1)
}

// stopPairs are programs that stop each timer of four, and each two of them in both orders, waiting or
// when all are due. The intervals put the timers into one list, slot or branch: the same deadline, the
// slot's next revolutions, the ticks before and after, the wheel above.
func stopPairs(whenDue bool) (all []func(*program)) {
	for kind := range 6 {
		for pair := range 16 {
			all = append(all, func(w *program) {
				m := w.lowest()
				intervals := [][]schemes.Tick{
					{2, 2, 2, 2}, {1, 1 + m, 1 + 2*m, 1 + 3*m}, {1 + 3*m, 1 + 2*m, 1 + m, 1},
					{3, 1, 4, 2}, {m, m, 2 * m, m}, {1 + m, 1, 1, 1 + m},
				}[kind]
				for i := range intervals {
					intervals[i] = w.most(intervals[i])
				}
				timers, longest := w.startAll(intervals...), slices.Max(intervals)
				if whenDue {
					w.tick(longest)
				}
				w.stop(timers[pair/4])
				if pair/4 != pair%4 {
					w.stop(timers[pair%4])
				}
				w.start(intervals[pair/4])
				w.tickExpire(1)
				w.tickExpire(longest)
			})
		}
	}
	return all
}

// staleHandles keeps every handle and tries them all again after each reuse of the
// storage, whether the timer before was stopped, stopped while due, or handed out.
func staleHandles(w *program) {
	var stale []label
	for i := range 24 {
		l := w.start(1)
		for _, old := range stale {
			w.stop(old)
		}
		stale = append(stale, l)
		if i%3 > 0 {
			w.tick(1)
		}
		if i%3 == 2 {
			w.expire()
		}
		w.stop(l)
	}
}

// foreignHandles tries handles that were never returned: a bit away from returned ones, small numbers, sparse
// and dense words.
func foreignHandles(w *program) {
	const ones = ^schemes.Handle(0)
	var all []label
	for i := range schemes.Tick(5) {
		w.stopBits(schemes.Handle(i))
		all = append(all, w.start(1+i%w.most(3)))
	}
	w.stop(all[1])
	w.tick(1)
	for bit := range 64 {
		for _, l := range all {
			w.flip(l, 1<<bit)
		}
		w.stopBits(1 << bit)
		w.stopBits(ones << bit)
		w.stopBits(ones >> bit)
		w.stopBits(schemes.Handle(bit) * 0x9e3779b97f4a7c15)
	}
	w.tickExpire(3)
}

// gather lets due timers of many ticks gather, with starts in between.
func gather(w *program) {
	longest := w.most(40)
	w.expire()
	for i := range schemes.Tick(30) {
		w.startAll(1+i*7%longest, 1+i*i%longest)
		w.tick(1)
		if i%11 == 10 {
			w.expire()
			w.expire()
		}
	}
	w.tickExpire(45)
	w.expire()
}

// crowd makes hundreds of timers due together, some by way of stops and actions.
func crowd(w *program) {
	longest := w.most(5)
	w.startAll(slices.Repeat([]schemes.Tick{longest}, 300)...)
	for i := range schemes.Tick(40) {
		l := w.start(1 + i*3%longest)
		if i%4 == 1 {
			w.stop(l)
		}
	}
	w.group(3, 1, func(int, []label) []op { return []op{w.later(1), w.later(longest)} })
	w.tickExpire(5)
	w.tickExpire(5)
}

// sameID starts one ID many times; also IDs that an index or a sign would not survive.
func sameID(w *program) {
	longest := w.most(6)
	var all []label
	for i := range schemes.Tick(18) {
		all = append(all, w.startID(1+i%longest, 7))
	}
	w.stop(all[0])
	w.tick(1)
	w.stop(all[13])
	w.expire()
	for _, id := range []schemes.ID{7, 0, 1<<64 - 1, 1 << 63, 1 << 32, 1<<32 + 1, 1} {
		w.startID(1, id)
	}
	w.tickExpire(8)
}

// siblings lets every action stop all the others of its tick: whichever is first, it is the only one. Then
// rings, where each stops the next, and a stop across ticks.
func siblings(w *program) {
	next := func(step int) func(int, []label) []op {
		return func(k int, all []label) []op { return []op{stopping(all[(k+step)%len(all)])} }
	}
	others := func(k int, all []label) (action []op) {
		for i, l := range all {
			if i != k {
				action = append(action, stopping(l))
			}
		}
		return action
	}
	for n := 2; n <= 4; n++ {
		for _, action := range []func(int, []label) []op{others, next(1), next(n - 1)} {
			w.group(n, 1, action)
			w.tickExpire(1)
		}
	}
	later := w.start(w.most(2))
	w.start(1, stopping(later), w.later(1), stopping(later))
	w.tickExpire(2)
	w.tickExpire(2)
}

// stopOneself stops a timer in its own action, once with siblings still due and
// once after starting a timer that takes the storage.
func stopOneself(w *program) {
	for n := 1; n <= 4; n++ {
		w.group(n, 1, func(k int, all []label) []op {
			return []op{stopping(all[k]), w.later(1), stopping(all[k])}
		})
		w.tickExpire(1)
		w.tickExpire(1)
	}
}

// startInAction starts in actions the intervals that meet the slot being
// emptied, the wheels' boundaries, and chains of starts.
func startInAction(w *program) {
	m := w.lowest()
	intervals := append([]schemes.Tick{1, m, 2 * m}, w.boundaries(600)...)
	for _, n := range []int{1, 3} {
		for _, interval := range intervals {
			w.group(n, 1, func(int, []label) []op { return []op{w.later(w.most(interval), w.later(1))} })
			w.tickExpire(1)
		}
	}
	w.tickExpire(slices.Max(intervals))
	w.tickExpire(1)
}

// restarts restarts timers to later and earlier ticks, to an interval that is refused, when they are due, and in actions.
func restarts(w *program) {
	restart := func(l label, interval schemes.Tick) op {
		w.last++
		return op{verb: opRestart, label: w.last, ticks: interval, target: target{label: l}}
	}
	m := w.most(w.lowest() + 3)
	for _, interval := range []schemes.Tick{1, 3, m - 1, m, w.longest() + 1, 0} {
		for _, before := range []schemes.Tick{1, 4, m} {
			w.add(restart(w.start(w.most(before)), interval))
		}
		sibling := w.start(w.most(2))
		w.start(1, restart(sibling, w.most(5)))
		w.tick(1)
		w.add(restart(w.start(w.most(9)), w.most(2)))
		w.expire()
	}
	w.tickExpire(m + 10)
}

// panics are programs that let every action of a group panic, so that each Expire hands out one timer, or
// only one of them.
func panics() (all []func(*program)) {
	for n := 1; n <= 4; n++ {
		for which := range n + 1 { // n: all of them
			all = append(all, func(w *program) {
				timers := w.group(n, w.most(2), func(k int, _ []label) []op {
					if which < n && k != which {
						return nil
					}
					return []op{w.later(1), {verb: opPanic}}
				})
				w.tick(2)
				for range n {
					w.expire()
					w.start(1)
				}
				w.stop(timers[0])
				w.tickExpire(1)
				w.tickExpire(1)
			})
		}
	}
	return all
}

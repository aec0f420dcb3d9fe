package study

import (
	"cmp"
	"math"
	"slices"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// Kafka's defaults.
const (
	KafkaTick  = time.Millisecond
	KafkaSlots = 20
)

// Kafka starts the timer of Apache Kafka's purgatory (SystemTimer and TimingWheel as of Kafka 3):
// hierarchical wheels of 20 slots each, the lowest with slots of 1 ms, as many as the longest
// time.Duration needs. A Tick of 0 selects KafkaTick; if it is negative, Kafka returns an error wrapping
// schemes.ErrConfig. One worker, the reaper, sleeps until a slot may be due, so empty ticks cost nothing.
//
// Differences from Kafka:
//
//   - Kafka makes a higher wheel when an interval needs it; here all are there from the start.
//   - Kafka picks the wheel by the interval, here the highest digit in which the deadline and the clock
//     differ does; see hierarchical.ByInterval.
//   - Kafka finds the earliest slot with a delay queue, a heap of slots; here the scheme returns it.
//   - Kafka rounds the time of the start and the deadline down, so a timer may be early by up to a
//     tick; here none is early, and each is late by less than a tick.
//   - Kafka's starts share a read lock and then lock their slot, and only the reaper takes the write
//     lock; here there is one lock.
//   - Kafka's reaper also wakes up every 200 ms to check for shutdown; this one does not.
//   - Kafka's executor is one thread; here it is the reaper.
//   - In Kafka, completed operations stay in the purgatory's lists until they are purged
//     (apache/kafka#15902); here a stopped timer leaves at once.
func Kafka(o systems.Options) (systems.Service, error) { return hierarchy(false, o) }

// Multilevel starts the hierarchical wheel that articles explain first: the wheels of Kafka and a worker that wakes
// up for every tick, empty or not. Compared with Kafka it shows what sleeping until the earliest timer saves.
func Multilevel(o systems.Options) (systems.Service, error) { return hierarchy(true, o) }

func hierarchy(stepping bool, o systems.Options) (systems.Service, error) {
	tick, cfg := cmp.Or(o.Tick, KafkaTick), schemes.Config{}
	for reach := 1.0; tick > 0 && reach <= float64(math.MaxInt64/tick); reach *= KafkaSlots {
		cfg.Levels = append(cfg.Levels, KafkaSlots)
	}
	return open(&model{wheel: wheel{tick: tick, stepping: stepping}}, &hierarchical.Info, cfg, 1, o)
}

// wheel has the tasks that are waiting, in a scheme that is not always a wheel. Its tick k ends k ticks after the
// model began.
type wheel struct {
	scheme   scheme
	tick     time.Duration
	stepping bool // the worker wakes up for every tick
	lazy     bool // cancelled tasks stay until their deadline
	queued   bool // added and cancelled tasks wait for the next tick
	now      schemes.Tick
	starts   uint64
	tasks    engine.Table[*task] // by ID
	due      []*task             // taken from the scheme

	added, gone []*task // if they are queued
}

type scheme interface {
	engine.Scheme
	schemes.Sleeper
}

// add adds a task, which is due on the first tick that ends at its deadline or later. It reports whether take
// must be called earlier than before.
func (w *wheel) add(t *task, now time.Duration) (first bool, err error) {
	if w.queued {
		w.added = append(w.added, t)
		return false, nil // the worker wakes up anyway
	}
	before := w.next()
	if t.deadline <= now {
		w.advance(now) // what is due already comes before it
		w.due = append(w.due, t)
	} else {
		err = w.addOn(t, schemes.Tick((t.deadline-1)/w.tick)+1)
	}
	return w.next() < before, err
}

func (w *wheel) addOn(t *task, due schemes.Tick) error {
	w.starts++
	t.start = w.starts
	id := w.tasks.Take(t)
	h, err := w.scheme.Start(max(due, w.now+1)-w.now, schemes.ID(id))
	if err != nil {
		w.tasks.Release(id)
		return err
	}
	t.handle = h
	return nil
}

func (w *wheel) cancel(t *task) {
	if w.queued {
		w.gone = append(w.gone, t)
	} else if !w.lazy {
		w.remove(t)
	}
}

func (w *wheel) remove(t *task) {
	if id, ok := w.scheme.ID(t.handle); ok { // else it is due, or not in the scheme yet
		w.scheme.Stop(t.handle)
		w.tasks.Release(uint32(id))
	}
}

// dequeue removes what was cancelled, and moves at most MostMoved of the tasks that were added into the scheme.
func (w *wheel) dequeue() {
	for _, t := range w.gone {
		w.remove(t)
	}
	moved := min(len(w.added), MostMoved)
	for _, t := range w.added[:moved] {
		if !t.ended {
			_ = w.addOn(t, schemes.Tick(t.deadline/w.tick)+1) // 292 years are within its range
		}
	}
	w.gone = nil
	if w.added = w.added[moved:]; len(w.added) == 0 {
		w.added = nil
	}
}

// advance passes the ticks that have ended. The tasks of one tick are due in the order of their starts.
func (w *wheel) advance(now time.Duration) {
	last := schemes.Tick(now / w.tick)
	if w.queued && w.now < last {
		w.dequeue()
	}
	for w.now < last {
		ticks, due := w.scheme.Advance(last - w.now)
		w.now += ticks
		if due > 0 {
			first := len(w.due)
			w.scheme.Expire(func(id schemes.ID) { w.due = append(w.due, w.tasks.Release(uint32(id))) })
			slices.SortFunc(w.due[first:], func(a, b *task) int { return cmp.Compare(a.start, b.start) })
		}
	}
}

// take returns a task that is due, or nil.
func (w *wheel) take(now time.Duration) *task {
	w.advance(now)
	if len(w.due) == 0 {
		return nil
	}
	t := w.due[0]
	if w.due = w.due[1:]; len(w.due) == 0 {
		w.due = nil
	}
	return t
}

// next returns when take must be called again, math.MaxInt64 if never.
func (w *wheel) next() time.Duration {
	wait, ok := w.scheme.NextEvent()
	switch {
	case len(w.due) > 0:
		return 0
	case w.stepping:
		wait = 1
	case !ok:
		return math.MaxInt64
	}
	if at := w.now + wait; at <= schemes.Tick(math.MaxInt64/w.tick) {
		return time.Duration(at) * w.tick
	}
	return math.MaxInt64
}

// Package record records what the timers of a service do, as a trace that package
// tracefile reads. A service calls it next to its own timers; see the example.
//
// A call reads the clock under a lock, and never waits for the writing. Calls that do not fit into
// its memory are dropped and counted; the trace's last lines report them. Expiries are
// not recorded: a timer expires when its interval has passed.
package record

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/harness/workload"
	"timerlab/harness/workload/tracefile/follow"
	"timerlab/schemes"
)

// Timer names a recorded timer; the zero Timer names none.
type Timer uint64

// Options of a Recorder. The zero value of a field means the default.
type Options struct {
	Tick   time.Duration // of the trace; 1 ms by default
	Source string        // of the trace, for its header
	Every  time.Duration // how often the recorded calls are written; 10 ms by default

	// Memory is the approximate bytes for waiting calls and outstanding timers; 64 MiB by
	// default, for 167,772 timers outstanding at a time and half a million calls between two
	// writes. Starts beyond them are dropped.
	Memory int
}

const (
	leastMemory = 64 << 10
	callBytes   = 2 * 32 // a call is in the buffer, or in the one being written
	timerBytes  = 200    // an outstanding timer has a record on a wheel and an entry in a map
)

// Recorder writes a trace. Its methods may be called by any goroutine at any time.
type Recorder struct {
	began         time.Time
	tick          time.Duration
	stop, stopped chan struct{}
	once          sync.Once
	err           atomic.Pointer[error] // the first of all writing

	mu           sync.Mutex
	calls        []call // in the order of their times
	started      uint64
	droppedCalls uint64

	// The rest belongs to the goroutine that writes.
	trace                               *bufio.Writer
	timers                              *follow.Timers // of the trace
	most                                int            // of them outstanding
	droppedStarts, lateStops, badStarts uint64         // not in the trace
}

type call struct {
	at       time.Duration // since the beginning
	timer    Timer
	kind     workload.Kind
	interval time.Duration // of a start or restart
}

// New begins a trace, which Close ends. The error names the option that is invalid.
func New(w io.Writer, o Options) (*Recorder, error) {
	o.Tick, o.Every = cmp.Or(o.Tick, time.Millisecond), cmp.Or(o.Every, 10*time.Millisecond)
	o.Memory = cmp.Or(o.Memory, 64<<20)
	switch {
	case o.Tick < 0:
		return nil, fmt.Errorf("record: invalid Tick %v (use 1ns or more)", o.Tick)
	case o.Memory < leastMemory:
		return nil, fmt.Errorf("record: invalid Memory %d (use %d bytes or more)", o.Memory, leastMemory)
	case o.Every < 0:
		return nil, fmt.Errorf("record: invalid Every %v (use 1ns or more)", o.Every)
	}
	r := &Recorder{
		began: time.Now(), tick: o.Tick, trace: bufio.NewWriterSize(w, 64<<10), most: o.Memory / 2 / timerBytes,
		timers: follow.New(func(_, _, _ schemes.Tick, _ workload.Fate) {}),
		stop:   make(chan struct{}), stopped: make(chan struct{}),
	}
	r.header("tick", o.Tick.String())
	if o.Source != "" {
		r.header("source", o.Source)
	}
	room := o.Memory / 2 / callBytes
	r.calls = make([]call, 0, room)
	go r.write(o.Every, make([]call, 0, room))
	return r, nil
}

// Start records that a timer starts, and names it.
func (r *Recorder) Start(d time.Duration) Timer { return r.record(0, workload.Start, d) }

// Reset records that a timer is restarted, or started again if it is not outstanding.
func (r *Recorder) Reset(t Timer, d time.Duration) {
	if t != 0 {
		r.record(t, workload.Restart, d)
	}
}

// Stop records that a timer was stopped before it expired.
func (r *Recorder) Stop(t Timer) {
	if t != 0 {
		r.record(t, workload.Stop, 0)
	}
}

// record appends a call if there is room. It reads the time under the lock, so that calls are in order.
func (r *Recorder) record(t Timer, kind workload.Kind, d time.Duration) Timer {
	r.mu.Lock()
	defer r.mu.Unlock()
	if kind == workload.Start {
		r.started++
		t = Timer(r.started)
	}
	if len(r.calls) == cap(r.calls) {
		r.droppedCalls++
	} else {
		r.calls = append(r.calls, call{time.Since(r.began), t, kind, max(d, 1)})
	}
	return t
}

// Err returns the first error of all writing so far. What is recorded after an error is lost.
func (r *Recorder) Err() error {
	if err := r.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Close writes the rest of the trace and what was dropped, and returns the first error of
// all writing. Later calls are lost. Close may be called again.
func (r *Recorder) Close() error {
	r.once.Do(func() { close(r.stop) })
	<-r.stopped
	return r.Err()
}

// write writes the recorded calls at each interval, until Close. spare is a second buffer.
func (r *Recorder) write(every time.Duration, spare []call) {
	defer close(r.stopped)
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			spare = r.cut(spare)
		case <-r.stop:
			r.cut(spare)
			r.mu.Lock()
			droppedCalls := r.droppedCalls
			r.mu.Unlock()
			for _, missing := range []struct {
				name string
				n    uint64
				why  string
			}{
				{"dropped calls", droppedCalls, "which came faster than they were written"},
				{"dropped starts", r.droppedStarts, fmt.Sprintf("while %d timers were outstanding", r.most)},
				{"stops left out", r.lateStops, "of timers whose interval had passed or whose start was dropped"},
				{"starts left out", r.badStarts, "of timers that were outstanding"},
			} {
				if missing.n > 0 {
					r.header(missing.name, fmt.Sprintf("%d, %s", missing.n, missing.why))
				}
			}
			r.flushTrace()
			return
		}
	}
}

func (r *Recorder) header(key, value string) {
	fmt.Fprintf(r.trace, "# %s: %s\n", key, strings.ReplaceAll(value, "\n", " "))
}

// flushTrace hands what the trace buffers to the caller's writer.
func (r *Recorder) flushTrace() {
	if err := r.trace.Flush(); err != nil {
		r.err.CompareAndSwap(nil, &err)
	}
}

// cut writes all calls so far, while others are recorded into spare, and returns the buffer that is free then.
func (r *Recorder) cut(spare []call) []call {
	r.mu.Lock()
	calls := r.calls
	r.calls = spare[:0]
	r.mu.Unlock()
	for _, c := range calls {
		r.writeCall(c)
	}
	r.flushTrace()
	return calls
}

// writeCall writes a call if it fits the trace. A start or restart lasts from the tick on which the interval begins
// to the first that does not come before its end, so that a stop before the end comes before the expiry.
func (r *Recorder) writeCall(c call) {
	rest := c.interval%r.tick + c.at%r.tick
	interval := min(schemes.Tick(c.interval/r.tick+(rest+r.tick-1)/r.tick), workload.MaxTicks)
	o := follow.Op{Tick: schemes.Tick(c.at / r.tick), Kind: c.kind, Timer: uint64(c.timer), Interval: interval}
	switch {
	case c.kind == workload.Stop:
		if !r.operation(o) {
			r.lateStops++
		}
	case c.kind == workload.Restart && r.operation(o):
	case r.timers.Len() >= r.most:
		r.droppedStarts++
	default:
		if o.Kind = workload.Start; !r.operation(o) {
			r.badStarts++
		}
	}
}

// operation writes an operation. It writes nothing and returns false if tracefile.Read would not accept it.
func (r *Recorder) operation(o follow.Op) bool {
	if r.timers.Apply(o) != nil {
		return false
	}
	line := append(strconv.AppendUint(r.trace.AvailableBuffer(), uint64(o.Tick), 10), ' ')
	line = append(append(line, o.Kind.String()...), ' ')
	line = strconv.AppendUint(line, o.Timer, 10)
	if o.Kind != workload.Stop {
		line = strconv.AppendUint(append(line, ' '), uint64(o.Interval), 10)
	}
	_, _ = r.trace.Write(append(line, '\n')) // Flush returns its error
	return true
}

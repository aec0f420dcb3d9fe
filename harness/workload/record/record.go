// Package record records what the timers of a service do, as a trace that package
// tracefile reads. A service calls it next to its own timers; see the example.
//
// A call reads the clock under a lock, and never waits for the writing. Calls that do not fit into
// its memory are dropped and counted; the trace's last line reports them. Expiries are
// not recorded: a timer expires when its interval has passed.
package record

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Timer names a recorded timer; the zero Timer names none.
type Timer uint64

// Options of a Recorder. The zero value of a field means the default.
type Options struct {
	Tick   time.Duration // of the trace; 1 ms by default
	Source string        // of the trace, for its header
	Every  time.Duration // how often the recorded calls are written; 10 ms by default

	// Memory is the approximate bytes for waiting calls; 64 MiB by default, for a million
	// calls between two writes. Calls beyond them are dropped.
	Memory int
}

const (
	leastMemory = 64 << 10
	callBytes   = 2 * 32 // a call is in the buffer, or in the one being written
)

// Recorder writes a trace. Its methods may be called by any goroutine at any time. In a synctest bubble they need a
// Recorder that was made in it.
type Recorder struct {
	began         time.Time
	tick          time.Duration
	stop, stopped chan struct{}
	once          sync.Once
	err           atomic.Pointer[error] // the first of all writing

	mu      sync.Mutex
	calls   []call // in the order of their times
	started uint64
	dropped uint64

	trace *bufio.Writer // belongs to the goroutine that writes
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
		began: time.Now(), tick: o.Tick, trace: bufio.NewWriterSize(w, 64<<10),
		stop: make(chan struct{}), stopped: make(chan struct{}),
	}
	r.header("tick", o.Tick.String())
	if o.Source != "" {
		r.header("source", o.Source)
	}
	room := o.Memory / callBytes
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

// Stop records that a timer is stopped. The trace's reader counts a stop that comes after the expiry.
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
	switch at := time.Since(r.began); {
	case at < 0: // a bubble's clock is decades behind
		r.fail(errBubble)
	case len(r.calls) == cap(r.calls):
		r.dropped++
	default:
		r.calls = append(r.calls, call{at, t, kind, max(d, 1)})
	}
	return t
}

var errBubble = errors.New("record: a call in a synctest bubble (use a Recorder that was made in the bubble)")

func (r *Recorder) fail(err error) { r.err.CompareAndSwap(nil, &err) }

// Err returns the first error so far. What is recorded after an error of writing is lost, and a call in a synctest
// bubble of a Recorder from outside is.
func (r *Recorder) Err() error {
	if err := r.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Close writes the rest of the trace and how many calls were dropped, and returns Err's error. Later calls are lost.
// Close may be called again.
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
			dropped := r.dropped
			r.mu.Unlock()
			if dropped > 0 {
				r.header("dropped calls", fmt.Sprintf("%d, which came faster than they were written", dropped))
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
		r.fail(err)
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

// writeCall writes a line. A start or restart lasts from the tick on which the interval begins
// to the first that does not come before its end, so that a stop before the end comes before the expiry.
func (r *Recorder) writeCall(c call) {
	line := append(strconv.AppendUint(r.trace.AvailableBuffer(), uint64(c.at/r.tick), 10), ' ')
	line = append(append(line, c.kind.String()...), ' ')
	line = strconv.AppendUint(line, uint64(c.timer), 10)
	if c.kind != workload.Stop {
		rest := c.interval%r.tick + c.at%r.tick
		interval := min(schemes.Tick(c.interval/r.tick+(rest+r.tick-1)/r.tick), workload.MaxTicks)
		line = strconv.AppendUint(append(line, ' '), uint64(interval), 10)
	}
	_, _ = r.trace.Write(append(line, '\n')) // Flush returns its error
}

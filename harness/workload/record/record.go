// Package record records what the timers of a service do, as a trace that package
// tracefile reads. A service calls it next to its own timers; see the example.
//
// A call reads the clock under a lock, and never waits for the writing. Calls that do not fit into
// its memory are dropped and counted; the trace's last line reports them. Expiries are
// not recorded: a timer expires when its interval has passed.
package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
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
}

const (
	writeEvery  = 10 * time.Millisecond
	longestLine = 80 // bytes, of a call; there are three numbers of up to 20 digits
)

// memory is the bytes for calls that wait to be written, about a million between two writes. Calls beyond them are dropped.
// A test makes it less.
var memory = 64 << 20

// Recorder writes a trace. Its methods may be called by any goroutine at any time. In a synctest bubble they need a
// Recorder that was made in it.
type Recorder struct {
	began         time.Time
	tick          time.Duration
	to            io.Writer
	stop, stopped chan struct{}
	once          sync.Once

	mu      sync.Mutex
	lines   []byte // to be written
	started uint64
	dropped uint64
	err     error // the first
}

// New begins a trace, which Close ends. The error says that the tick is invalid.
func New(w io.Writer, o Options) (*Recorder, error) {
	o.Tick = cmp.Or(o.Tick, time.Millisecond)
	if o.Tick < 0 {
		return nil, fmt.Errorf("record: invalid Tick %v (use 1ns or more)", o.Tick)
	}
	r := &Recorder{
		began: time.Now(), tick: o.Tick, to: w, stop: make(chan struct{}), stopped: make(chan struct{}),
		lines: make([]byte, 0, memory/2), // the other half is being written
	}
	r.header("tick", o.Tick.String())
	if o.Source != "" {
		r.header("source", o.Source)
	}
	go r.write(make([]byte, 0, memory/2))
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

// Stop records that a timer is stopped. The trace's readers count a stop that comes after the expiry.
func (r *Recorder) Stop(t Timer) {
	if t != 0 {
		r.record(t, workload.Stop, 0)
	}
}

var errBubble = errors.New("record: a call in a synctest bubble (use a Recorder that was made in the bubble)")

// record appends the line of a call if there is room. It reads the time under the lock, so that calls are in order.
//
// A start or restart lasts from the tick on which the interval begins to the first that does not come before its end,
// so that a stop before the end comes before the expiry.
func (r *Recorder) record(t Timer, kind workload.Kind, d time.Duration) Timer {
	r.mu.Lock()
	defer r.mu.Unlock()
	if kind == workload.Start {
		r.started++
		t = Timer(r.started)
	}
	at := time.Since(r.began)
	switch {
	case at < 0: // the clock of a bubble, which is decades behind
		r.fail(errBubble)
		return t
	case len(r.lines)+longestLine > cap(r.lines):
		r.dropped++
		return t
	}
	r.lines = append(strconv.AppendUint(r.lines, uint64(at/r.tick), 10), ' ')
	r.lines = append(append(r.lines, kind.String()...), ' ')
	r.lines = strconv.AppendUint(r.lines, uint64(t), 10)
	if kind != workload.Stop {
		d = max(d, 1)
		interval := schemes.Tick(d/r.tick + (d%r.tick+at%r.tick+r.tick-1)/r.tick)
		r.lines = strconv.AppendUint(append(r.lines, ' '), uint64(min(interval, workload.MaxTicks)), 10)
	}
	r.lines = append(r.lines, '\n')
	return t
}

// fail keeps the first error. The caller holds the lock.
func (r *Recorder) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *Recorder) header(key, value string) {
	r.lines = fmt.Appendf(r.lines, "# %s: %s\n", key, strings.ReplaceAll(value, "\n", " "))
}

// Err returns the first error so far. What is recorded after an error is lost.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Close writes the rest of the trace and how many calls were dropped, and returns Err's error. Later calls are lost.
// Close may be called again.
func (r *Recorder) Close() error {
	r.once.Do(func() { close(r.stop) })
	<-r.stopped
	return r.Err()
}

// write writes the recorded calls at each interval, until Close. spare is a second buffer.
func (r *Recorder) write(spare []byte) {
	defer close(r.stopped)
	t := time.NewTicker(writeEvery)
	defer t.Stop()
	for closed := false; !closed; {
		select {
		case <-t.C:
		case <-r.stop:
			closed = true
		}
		r.mu.Lock()
		if closed && r.dropped > 0 {
			r.header("dropped calls", fmt.Sprintf("%d, which came faster than they were written", r.dropped))
		}
		lines, err := r.lines, r.err
		r.lines = spare[:0]
		r.mu.Unlock()
		if spare = lines; err != nil || len(lines) == 0 {
			continue
		}
		if _, err = r.to.Write(lines); err != nil {
			r.mu.Lock()
			r.fail(err)
			r.mu.Unlock()
		}
	}
}

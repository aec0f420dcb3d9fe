package systems_test

import (
	"expvar"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/systems"
	"timerlab/systems/sharded"
)

// A service publishes what its timers cost, here at /debug/vars of an HTTP server.
func Example_expvar() {
	timers, err := sharded.New(sharded.Options{Shards: 1})
	if err != nil {
		panic(err)
	}
	defer timers.Close()
	expvar.Publish("timers", expvar.Func(func() any { return timers.Stats() }))

	if _, err = timers.AfterFunc(time.Hour, func() {}); err != nil {
		panic(err)
	}
	stats := expvar.Get("timers").(expvar.Func).Value().(systems.Stats)
	fmt.Println("pending:", stats.Pending, "due:", stats.Due, "running:", stats.Running)
	// Output:
	// pending: 1 due: 0 running: 0
}

// idleConn is closed when it was idle for a timeout.
type idleConn struct {
	began   time.Time
	active  atomic.Int64 // the last activity, in ns since it began
	timeout time.Duration
	close   func(idle time.Duration)
	mu      sync.Mutex // guards timer, as its action may begin before the timer is stored
	timer   *time.Timer
}

func (c *idleConn) activity() { c.active.Store(int64(time.Since(c.began))) } // instead of a Reset

// look is the timer's action.
func (c *idleConn) look() {
	idle := time.Since(c.began) - time.Duration(c.active.Load())
	if idle >= c.timeout {
		c.close(idle)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer.Reset(c.timeout - idle)
}

// Stored time: an activity stores its time, and the timer looks about once in a timeout whether that is long ago. It is
// armed again or runs, neither lost nor early, whatever goroutines do.
func Example_storedTime() {
	const timeout = 50 * time.Millisecond
	closed := make(chan time.Duration)
	c := &idleConn{began: time.Now(), timeout: timeout, close: func(idle time.Duration) { closed <- idle }}
	c.mu.Lock()
	c.timer = time.AfterFunc(timeout, c.look)
	c.mu.Unlock()
	go func() {
		for range 1000 {
			c.activity()
		}
	}()
	fmt.Println("early:", <-closed < timeout)
	// Output:
	// early: false
}

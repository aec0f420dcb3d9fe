package systems_test

import (
	"fmt"
	"sync/atomic"
	"time"
)

// idleConn is closed when it was idle for a timeout.
type idleConn struct {
	began   time.Time
	active  atomic.Int64 // the last activity, in ns since it began
	timeout time.Duration
	close   func(idle time.Duration)
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
	c.timer.Reset(c.timeout - idle)
}

// Stored time: an activity stores its time, and the timer looks about once in a timeout whether that is long ago. It is
// armed again or runs, neither lost nor early, whatever goroutines do.
func Example_storedTime() {
	const timeout = 50 * time.Millisecond
	closed := make(chan time.Duration)
	c := &idleConn{began: time.Now(), timeout: timeout, close: func(idle time.Duration) { closed <- idle }}
	c.timer = time.AfterFunc(time.Hour, c.look) // so that it is stored before its action begins
	c.timer.Reset(timeout)
	go func() {
		for range 1000 {
			c.activity()
		}
	}()
	fmt.Println("early:", <-closed < timeout)
	// Output:
	// early: false
}

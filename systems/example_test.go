package systems_test

import (
	"expvar"
	"fmt"
	"time"

	"timerlab/systems"
	"timerlab/systems/sharded"
)

type connection struct{ expired chan bool }

func (c *connection) expire() { close(c.expired) }

// What was
//
//	idle := time.AfterFunc(30*time.Second, conn.expire)
//
// becomes a method of a service, which is closed with the program.
func Example() {
	conn := &connection{make(chan bool)}

	timers, err := sharded.New(sharded.Options{}) // once in the program
	if err != nil {
		panic(err)
	}
	defer timers.Close()

	idle, err := timers.AfterFunc(30*time.Second, conn.expire) // like time.AfterFunc
	if err != nil {                                            // only after Close
		panic(err)
	}
	idle.Reset(30 * time.Second) // like time.Timer.Reset
	fmt.Println("it was pending:", idle.Reset(time.Millisecond))
	<-conn.expired
	fmt.Println("stopped:", idle.Stop()) // like time.Timer.Stop
	// Output:
	// it was pending: true
	// stopped: false
}

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

package systems_test

import (
	"expvar"
	"fmt"
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

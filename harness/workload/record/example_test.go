package record_test

import (
	"fmt"
	"os"
	"time"

	"timerlab/harness/workload/record"
)

// A service records its idle timeouts next to its own timers.
func Example() {
	rec, err := record.New(os.Stdout, record.Options{Tick: time.Second, Source: "an example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	idle := time.AfterFunc(time.Minute, func() {})
	recorded := rec.Start(time.Minute)
	idle.Reset(time.Minute)
	rec.Reset(recorded, time.Minute)
	if idle.Stop() {
		rec.Stop(recorded)
	}
	if err := rec.Close(); err != nil {
		fmt.Println(err)
	}
	// The timer's number is its own.
}

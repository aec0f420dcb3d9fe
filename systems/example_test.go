package systems_test

import (
	"fmt"
	"time"

	"timerlab/systems/sharded"
)

// What was
//
//	t := time.AfterFunc(d, f)
//
// becomes a method of a facility, which ends with its service.
func Example() {
	timers, err := sharded.New(sharded.Options{})
	if err != nil {
		panic(err)
	}
	defer timers.Close()

	done := make(chan bool)
	t, err := timers.AfterFunc(time.Hour, func() { done <- true })
	if err != nil { // the facility is closed
		panic(err)
	}
	fmt.Println("it waited:", t.Reset(time.Millisecond))
	<-done
	fmt.Println("stopped:", t.Stop())
	// Output:
	// it waited: true
	// stopped: false
}

package sharded_test

import (
	"fmt"
	"time"

	"timerlab/systems"
	"timerlab/systems/sharded"
)

type connection struct {
	timeout sharded.Timer
	expired chan bool
}

func (c *connection) expire() { close(c.expired) }

// What was
//
//	idle := time.AfterFunc(30*time.Second, conn.expire)
//
// becomes a method of a service, which is closed with the program.
func Example() {
	conn := &connection{expired: make(chan bool)}

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

	timers.Init(&conn.timeout, conn.expire) // a timer that is part of the connection
	err = conn.timeout.Start(30 * time.Second)
	fmt.Println(err, conn.timeout.Stop())
	// Output:
	// it was pending: true
	// stopped: false
	// <nil> true
}

// Actions run on goroutines of their own, as those of time.AfterFunc do, and a panic does not end the program.
func ExampleNew() {
	reported := make(chan any)
	timers, err := sharded.New(sharded.Options{Options: systems.Options{
		Execute: func(action func()) { go action() },
		Panic:   func(value any) { reported <- value },
	}})
	if err != nil {
		panic(err)
	}
	defer timers.Close()

	if _, err = timers.AfterFunc(time.Millisecond, func() { panic("no such room") }); err != nil {
		panic(err)
	}
	fmt.Println("reported:", <-reported)
	// Output:
	// reported: no such room
}

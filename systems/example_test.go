package systems_test

import (
	"fmt"
	"time"

	"timerlab/systems/sharded"
)

type connection struct{ expired chan bool }

func (c *connection) expire() { close(c.expired) }

// What was
//
//	idle := time.AfterFunc(30*time.Second, conn.expire)
//
// becomes a method of a facility, which is closed with the program.
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

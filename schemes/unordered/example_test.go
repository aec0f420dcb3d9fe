package unordered_test

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/unordered"
)

// Five timers, and the list after each tick: every tick takes one off all of them.
func Example() {
	s, err := unordered.Info.New(schemes.Config{})
	if err != nil {
		panic(err)
	}
	for id, interval := range []schemes.Tick{3, 1, 6, 3, 8} {
		if _, err := s.Start(interval, schemes.ID(id)); err != nil {
			panic(err)
		}
	}
	fmt.Print(s)
	for range 3 {
		s.PerTick()
		fmt.Print(s)
		s.Expire(func(id schemes.ID) { fmt.Println("expired:", id) })
	}
	// Output:
	// now 0, 5 outstanding, id(ticks left)
	// list: 0(3) 1(1) 2(6) 3(3) 4(8)
	// now 1, 5 outstanding, id(ticks left)
	// list: 0(2) 2(5) 3(2) 4(7)
	// due: 1
	// expired: 1
	// now 2, 4 outstanding, id(ticks left)
	// list: 0(1) 2(4) 3(1) 4(6)
	// now 3, 4 outstanding, id(ticks left)
	// list: 2(3) 4(5)
	// due: 0 3
	// expired: 0
	// expired: 3
}

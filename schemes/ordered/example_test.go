package ordered_test

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/ordered"
)

// Five timers, sorted by deadline: a tick looks at the first one only.
func Example() {
	s, err := ordered.Info.New(schemes.Config{})
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
	// now 0, 5 outstanding, id(deadline)
	// list: 1(1) 0(3) 3(3) 2(6) 4(8)
	// now 1, 5 outstanding, id(deadline)
	// list: 0(3) 3(3) 2(6) 4(8)
	// due: 1
	// expired: 1
	// now 2, 4 outstanding, id(deadline)
	// list: 0(3) 3(3) 2(6) 4(8)
	// now 3, 4 outstanding, id(deadline)
	// list: 2(6) 4(8)
	// due: 0 3
	// expired: 0
	// expired: 3
}

// A list for each interval: the timers of a list are in the order of their starts, and so of their deadlines.
func Example_durations() {
	s, err := ordered.Durations.New(schemes.Config{})
	if err != nil {
		panic(err)
	}
	for id, interval := range []schemes.Tick{5, 8, 5, 8, 5} {
		if _, err := s.Start(interval, schemes.ID(id)); err != nil {
			panic(err)
		}
		s.PerTick()
	}
	fmt.Print(s)
	// Output:
	// now 5, 5 outstanding, id(deadline)
	// interval 8: 1(9) 3(11)
	// interval 5: 2(7) 4(9)
	// due: 0
}

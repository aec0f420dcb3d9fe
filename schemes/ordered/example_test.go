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

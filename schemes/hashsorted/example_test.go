package hashsorted_test

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/hashsorted"
)

// Five timers on a wheel of 4 slots, sorted within each: a tick looks at the
// first timer of a slot.
func Example() {
	s, err := hashsorted.Info.New(schemes.Config{Slots: 4})
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
	// slot [0]: 4(8)
	// slot 1: 1(1)
	// slot 2: 2(6)
	// slot 3: 0(3) 3(3)
	// now 1, 5 outstanding, id(deadline)
	// slot 0: 4(8)
	// slot [1]: -
	// slot 2: 2(6)
	// slot 3: 0(3) 3(3)
	// due: 1
	// expired: 1
	// now 2, 4 outstanding, id(deadline)
	// slot 0: 4(8)
	// slot [2]: 2(6)
	// slot 3: 0(3) 3(3)
	// now 3, 4 outstanding, id(deadline)
	// slot 0: 4(8)
	// slot 2: 2(6)
	// slot [3]: -
	// due: 0 3
	// expired: 0
	// expired: 3
}

package hashunsorted_test

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
)

// Five timers on a wheel of 4 slots: a tick takes a round off every timer of a
// slot.
func Example() {
	s, err := hashunsorted.Info.New(schemes.Config{Slots: 4})
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
	// now 0, 5 outstanding, id(rounds left)
	// slot [0]: 4(2)
	// slot 1: 1(1)
	// slot 2: 2(2)
	// slot 3: 0(1) 3(1)
	// now 1, 5 outstanding, id(rounds left)
	// slot 0: 4(2)
	// slot [1]: -
	// slot 2: 2(2)
	// slot 3: 0(1) 3(1)
	// due: 1
	// expired: 1
	// now 2, 4 outstanding, id(rounds left)
	// slot 0: 4(2)
	// slot [2]: 2(1)
	// slot 3: 0(1) 3(1)
	// now 3, 4 outstanding, id(rounds left)
	// slot 0: 4(2)
	// slot 2: 2(1)
	// slot [3]: -
	// due: 0 3
	// expired: 0
	// expired: 3
}

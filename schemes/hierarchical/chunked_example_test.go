package hierarchical_test

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
)

// Five timers in chunked slots of 4 and 4. One is stopped at once, and its entry goes when it
// comes up or another timer takes it over.
func Example_chunked() {
	s, err := hierarchical.Chunked.New(schemes.Config{Levels: []int{4, 4}})
	if err != nil {
		panic(err)
	}
	for id, interval := range []schemes.Tick{3, 1, 6, 12, 7} {
		h, err := s.Start(interval, schemes.ID(id))
		if err != nil {
			panic(err)
		}
		if id == 4 {
			s.Stop(h)
		}
	}
	fmt.Print(s)
	for range 6 {
		s.PerTick()
		fmt.Print(s)
		s.Expire(func(id schemes.ID) { fmt.Println("expired:", id) })
	}
	// Output:
	// now 0, 4 outstanding, id(deadline)
	// level 1 slot [0]: -
	// level 1 slot 1: 2(6)
	// level 1 slot 3: 3(12)
	// level 0 slot [0]: -
	// level 0 slot 1: 1(1)
	// level 0 slot 3: 0(3)
	// now 1, 4 outstanding, id(deadline)
	// level 1 slot [0]: -
	// level 1 slot 1: 2(6)
	// level 1 slot 3: 3(12)
	// level 0 slot [1]: -
	// level 0 slot 3: 0(3)
	// due: 1
	// expired: 1
	// now 2, 3 outstanding, id(deadline)
	// level 1 slot [0]: -
	// level 1 slot 1: 2(6)
	// level 1 slot 3: 3(12)
	// level 0 slot [2]: -
	// level 0 slot 3: 0(3)
	// now 3, 3 outstanding, id(deadline)
	// level 1 slot [0]: -
	// level 1 slot 1: 2(6)
	// level 1 slot 3: 3(12)
	// level 0 slot [3]: -
	// due: 0
	// expired: 0
	// now 4, 2 outstanding, id(deadline)
	// level 1 slot [1]: -
	// level 1 slot 3: 3(12)
	// level 0 slot [0]: -
	// level 0 slot 2: 2(6)
	// now 5, 2 outstanding, id(deadline)
	// level 1 slot [1]: -
	// level 1 slot 3: 3(12)
	// level 0 slot [1]: -
	// level 0 slot 2: 2(6)
	// now 6, 2 outstanding, id(deadline)
	// level 1 slot [1]: -
	// level 1 slot 3: 3(12)
	// level 0 slot [2]: -
	// due: 2
	// expired: 2
}

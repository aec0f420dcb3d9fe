package tree_test

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/tree"
)

// Five timers in a heap: the first to expire is on top.
func Example() {
	s, err := tree.Info.New(schemes.Config{})
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
	// level 0: 1(1)
	// level 1: 0(3) 2(6)
	// level 2: 3(3) 4(8)
	// now 1, 5 outstanding, id(deadline)
	// level 0: 0(3)
	// level 1: 3(3) 2(6)
	// level 2: 4(8)
	// due: 1
	// expired: 1
	// now 2, 4 outstanding, id(deadline)
	// level 0: 0(3)
	// level 1: 3(3) 2(6)
	// level 2: 4(8)
	// now 3, 4 outstanding, id(deadline)
	// level 0: 2(6)
	// level 1: 4(8)
	// due: 0 3
	// expired: 0
	// expired: 3
}

// Equal intervals: the unbalanced tree degenerates into a list, along which the
// next start passes every timer.
func Example_unbalanced() {
	s, err := tree.Unbalanced.New(schemes.Config{})
	if err != nil {
		panic(err)
	}
	for id := range schemes.ID(5) {
		if _, err := s.Start(9, id); err != nil {
			panic(err)
		}
		s.PerTick()
	}
	fmt.Print(s)
	fmt.Println("compares:", s.(schemes.Counter).Counts().Compares)
	// Output:
	// now 5, 5 outstanding, id(deadline)
	// level 0: 0(9)
	// level 1: - 1(10)
	// level 2: - 2(11)
	// level 3: - 3(12)
	// level 4: - 4(13)
	// compares: 10
}

package hashunsorted_test

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
)

// Five timers in chunked slots. One is stopped at once, and
// its entry goes when it comes up or another timer takes it over.
func Example_chunked() {
	s, err := hashunsorted.Chunked.New(schemes.Config{Slots: 4})
	if err != nil {
		panic(err)
	}
	for id, interval := range []schemes.Tick{3, 1, 6, 3, 8} {
		h, err := s.Start(interval, schemes.ID(id))
		if err != nil {
			panic(err)
		}
		if id == 4 {
			s.Stop(h)
		}
	}
	fmt.Print(s)
	for range 3 {
		s.PerTick()
		fmt.Print(s)
		s.Expire(func(id schemes.ID) { fmt.Println("expired:", id) })
	}
	// Output:
	// now 0, 4 outstanding, id(deadline)
	// slot [0]: -
	// slot 1: 1(1)
	// slot 2: 2(6)
	// slot 3: 0(3) 3(3)
	// now 1, 4 outstanding, id(deadline)
	// slot [1]: -
	// slot 2: 2(6)
	// slot 3: 0(3) 3(3)
	// due: 1
	// expired: 1
	// now 2, 3 outstanding, id(deadline)
	// slot [2]: 2(6)
	// slot 3: 0(3) 3(3)
	// now 3, 3 outstanding, id(deadline)
	// slot 2: 2(6)
	// slot [3]: -
	// due: 0 3
	// expired: 0
	// expired: 3
}

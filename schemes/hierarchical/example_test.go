package hierarchical_test

import (
	"fmt"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
)

// The example of the paper's section 6.2: wheels of seconds, minutes, hours and
// days, at 11 d 10:24:30, and a timer of 50 min 45 s. The ticks shown are those
// on which it moves.
func Example() {
	const (
		minute = 60
		hour   = 60 * minute
		day    = 24 * hour
	)
	s, err := hierarchical.New(schemes.Config{
		Now:    11*day + 10*hour + 24*minute + 30,
		Levels: []int{60, 60, 24, 100},
	})
	if err != nil {
		panic(err)
	}
	if _, err := s.Start(50*minute+45, 1); err != nil {
		panic(err)
	}
	fmt.Print(s)
	passed := 0
	for _, until := range []int{35*minute + 30, 50*minute + 30, 50*minute + 45} {
		for ; passed < until; passed++ {
			s.PerTick()
		}
		fmt.Print(s)
	}
	s.Expire(func(id schemes.ID) { fmt.Println("expired:", id) })
	// Output:
	// now 987870, 1 outstanding, id(deadline)
	// level 3 slot [11]: -
	// level 2 slot [10]: -
	// level 2 slot 11: 1(990915)
	// level 1 slot [24]: -
	// level 0 slot [30]: -
	// now 990000, 1 outstanding, id(deadline)
	// level 3 slot [11]: -
	// level 2 slot [11]: -
	// level 1 slot [0]: -
	// level 1 slot 15: 1(990915)
	// level 0 slot [0]: -
	// now 990900, 1 outstanding, id(deadline)
	// level 3 slot [11]: -
	// level 2 slot [11]: -
	// level 1 slot [15]: -
	// level 0 slot [0]: -
	// level 0 slot 15: 1(990915)
	// now 990915, 1 outstanding, id(deadline)
	// level 3 slot [11]: -
	// level 2 slot [11]: -
	// level 1 slot [15]: -
	// level 0 slot [15]: -
	// due: 1
	// expired: 1
}

// Without migration 90 seconds are on the level of minutes, and are 2 minutes
// there.
func ExampleNoMigrate() {
	s, err := hierarchical.NoMigrate.New(schemes.Config{Levels: []int{60, 60}})
	if err != nil {
		panic(err)
	}
	early, late := s.(schemes.Bounder).Bound(90)
	fmt.Println("at most", early, "s early and", late, "s late")
	if _, err := s.Start(90, 1); err != nil {
		panic(err)
	}
	fmt.Print(s)
	passed := 1
	for s.PerTick() == 0 {
		passed++
	}
	fmt.Println("due after", passed, "s")
	// Output:
	// at most 0 s early and 59 s late
	// now 0, 1 outstanding, id(rounded deadline)
	// level 1 slot [0]: -
	// level 1 slot 2: 1(120)
	// level 0 slot [0]: -
	// due after 120 s
}

// Ahead of time the timers of ticks 24 to 27 leave level 1 on ticks 20 to 23, one on each. The timer of tick
// 29 waits until they are gone.
func ExampleAhead() {
	s, err := hierarchical.Ahead.New(schemes.Config{Now: 16, Levels: []int{4, 4, 4}})
	if err != nil {
		panic(err)
	}
	for _, deadline := range []schemes.Tick{24, 25, 26, 27, 29} {
		if _, err := s.Start(deadline-16, schemes.ID(deadline)); err != nil {
			panic(err)
		}
	}
	for tick := 16; tick < 24; tick++ {
		if tick == 16 || tick == 21 || tick == 23 {
			fmt.Print(s)
		}
		s.PerTick()
	}
	// Output:
	// now 16, 5 outstanding, id(deadline)
	// level 2 slot [1]: -
	// level 1 slot [4]: -
	// level 1 slot 6: 24(24) 25(25) 26(26) 27(27)
	// level 1 slot 7: 29(29)
	// level 0 slot [0]: -
	// now 21, 5 outstanding, id(deadline)
	// level 2 slot [1]: -
	// level 1 slot [5]: -
	// level 1 slot 6: 26(26) 27(27)
	// level 1 slot 7: 29(29)
	// level 0 slot 0: 24(24)
	// level 0 slot 1: 25(25)
	// level 0 slot [5]: -
	// now 23, 5 outstanding, id(deadline)
	// level 2 slot [1]: -
	// level 1 slot [5]: -
	// level 1 slot 7: 29(29)
	// level 0 slot 0: 24(24)
	// level 0 slot 1: 25(25)
	// level 0 slot 2: 26(26)
	// level 0 slot 3: 27(27)
	// level 0 slot [7]: -
}

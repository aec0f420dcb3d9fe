package grade

import (
	"math"
	"runtime"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// frees is about timers of long intervals, which stop long before: most timers of a network. The suite's own rule memory
// lets their intervals pass.
var frees = schemetest.Rule{
	Name:     "stop-frees",
	Sentence: "Stop gives the storage of a timer back at once: many starts and stops within a tick hold no more memory than a few.",
}

// checkFrees compares the memory held after some starts and stops with the memory after many more, then far more: a
// slice that grows by every stop may have room for most of a million after the other rules.
func checkFrees(info *schemes.Info) *schemetest.Violation {
	for _, stops := range []int{10_000, 2_000_000} {
		least := math.MaxInt
		for try := 0; try < 3 && least > stops; try++ { // a byte each; something else may allocate meanwhile
			more, err := leaves(info, stops)
			if err != nil {
				return violated(info, frees.Name, "%v", err)
			}
			least = min(least, more)
		}
		if least > stops {
			return violated(info, frees.Name, "%d times Start and Stop leave %d bytes more", stops, least)
		}
	}
	return nil
}

// leaves returns how many bytes more are held after so many starts and stops, or fewer of a slow scheme.
func leaves(info *schemes.Info, stops int) (more int, err error) {
	const outstanding, settling = 8, 1000
	cfg := schemes.Config{Slots: 64, Capacity: outstanding + 1}
	s, err := info.New(cfg)
	if err != nil {
		return 0, err
	}
	most, began := min(info.Range(cfg), 1<<40), time.Now()
	interval := func(i int) schemes.Tick { return most - schemes.Tick(i)%(most/2+1) }
	for i := range outstanding {
		if _, err := s.Start(interval(i), 1); err != nil {
			return 0, err
		}
	}
	pass := func(n int) (held int) {
		for i := 0; i < n && (i%1024 != 0 || time.Since(began) < time.Second); i++ {
			h, _ := s.Start(interval(i), 1)
			s.Stop(h)
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := pass(settling)
	more = pass(stops) - before
	runtime.KeepAlive(s)
	return more, nil
}

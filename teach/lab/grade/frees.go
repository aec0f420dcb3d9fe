package grade

import (
	"runtime"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// frees is about timers that are stopped long before they are due: most timers of a network. The suite's own rule
// memory lets their intervals pass.
var frees = schemetest.Rule{
	Name:     "stop-frees",
	Sentence: "Stop gives the storage of a timer back at once: many starts and stops within a tick hold no more memory than a few.",
}

// checkFrees compares the memory held after some starts and stops with the memory after so many more that even a slice
// which grows by every stop, and is large from other rules, moves. Something else may allocate meanwhile, but not always.
func checkFrees(info *schemes.Info) (v *schemetest.Violation) {
	const settling, most, tries, slack = 1000, 2_000_000, 3, 4 << 10
	cfg := schemes.Config{Slots: 64, Capacity: 1}
	for range tries {
		s, err := info.New(cfg)
		if err != nil {
			return violated(info, frees.Name, "%v", err)
		}
		longest, began := min(info.Range(cfg), 1<<40), time.Now()
		pass := func(n int) (stops int) {
			for ; stops < n && (stops%1024 != 0 || time.Since(began) < time.Second); stops++ {
				h, _ := s.Start(longest-schemes.Tick(stops)%(longest/2+1), 1)
				if !s.Stop(h) {
					return 0
				}
			}
			return stops
		}
		pass(settling)
		before := held()
		stops := pass(most)
		more := held() - before
		runtime.KeepAlive(s)
		if stops == 0 {
			return violated(info, frees.Name, "Stop returned false for a timer just started")
		}
		if more <= slack+stops {
			return nil
		}
		v = violated(info, frees.Name, "%d times Start and Stop leave %d bytes more", stops, more)
	}
	return v
}

// held returns the bytes in use in Go's heap.
func held() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

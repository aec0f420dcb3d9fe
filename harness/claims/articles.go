package claims

import (
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// What later articles say, and traps in some of them.

var articleChecks = checks{
	// The check drains a heap and compares the timer on top with the first and the last to
	// expire.
	"Z-1": {counted: func(l *lab) {
		const n = 64
		s := l.new("tree", unsized)
		for i := range schemes.Tick(n) {
			l.start(s, 1+i*37%n, schemes.ID(1+i*37%n))
		}
		last, first := 0.0, 0.0
		for tick := schemes.ID(1); tick < n; tick++ {
			switch top := l.place(s, func(p schemes.Place) bool { return p.Parent < 0 }); top.ID {
			case n:
				last++
			case tick:
				first++
			}
			s.PerTick()
			s.Expire(func(schemes.ID) {})
		}
		l.counted(n-1, last, "ticks on which the last timer to expire is on top, of %d", n-1)
		l.counted(0, first, "ticks on which the first timer to expire is on top, of %d", n-1)
	}},
	"Z-2": {timed: func(t *timings) {
		t.compareAll(AtLeast, 2, false, "a lifetime, heap over wheels, n = {n}; severely: twice",
			pairing{lifetime, "tree", treesFrom(10_000), []string{sevenName}})
	}},
	"Z-4": {counted: func(l *lab) {
		years := []int{60, 60, 24, 365, 100}
		l.counted(144, 60+60+24, "slots for a day")
		l.counted(86_400, reachOf("hierarchical", withLevels(60, 60, 24)), "ticks that they reach")
		l.counted(609, float64(run.Subject{Levels: years}.TotalSlots()), "slots for a hundred years")
		l.counted(100*365*86_400, reachOf("hierarchical", withLevels(years...)), "ticks that they reach")
	}},
	"Z-5": {counted: func(l *lab) {
		s := l.new("hierarchical", withLevels(paperWheels...))
		const short, long = 10, 10 * 60 * 60
		for id, interval := range []schemes.Tick{short, long} {
			l.start(s, interval, schemes.ID(id))
		}
		useless, woken, passed := 0.0, 0.0, 0.0
		for s.Len() > 0 && passed < 2*long {
			before := s.Counts()
			passed++
			s.PerTick()
			s.Expire(func(schemes.ID) {})
			if s.Counts().Sub(before).Visits == 0 {
				useless++
			} else {
				woken++
			}
		}
		l.counted(long, passed, "ticks until both are due")
		l.counted(10_000, useless, "ticks on which no timer is looked at").as(AtLeast)
		l.counted(2+float64(s.Counts().Migrations), woken,
			"ticks with an occupied slot; predicted: 2 timers and the migrations")
	}},
	"Z-7": {counted: func(l *lab) {
		spec := hold(500, 300, workload.Const())
		spec.Restart, spec.RestartAt = 0.9, 0.3
		list := l.run(newExperiment("ordered-rear", unsized, spec, 2048, 600))
		wheel := l.run(newExperiment("simplewheel", withSlots(1024), spec, 2048, 600))
		a, b := list.sum(), wheel.sum()
		l.counted(1, a[compares]/a[started], "comparisons of a start or restart, ordered list from the rear")
		l.counted(0, b[compares], "comparisons of all starts and restarts, wheel")
		l.counted(1, a[wasted]/a[ticks], "timers that a tick of the list looks at besides the expiring ones").as(AtMost)
		l.counted(0, b[wasted], "timers that ticks of the wheel look at besides the expiring ones")
		l.counted(b[expired], a[expired], "timers expired; predicted: as many as on the wheel")
	}},
	// The check compares when the article's placement would expire a timer with
	// when both level rules do.
	"Z-8": {counted: func(l *lab) {
		const interval = (11*60+15)*60 + 15
		now := clockTime(0, 10, 24, 30)

		for _, scheme := range []string{"hierarchical", "hierarchical-interval"} {
			took := dueAfter(l, scheme, schemes.Config{Now: now, Levels: paperWheels}, interval)
			l.counted(float64(articlesExpiry(now, interval)), float64(now)+took,
				"second of the day at which %s expires 11:15:15 started at 10:24:30 (21:15:15 predicted, 21:39:45 is "+
					"right)", scheme)
		}
	}},
}

// articlesExpiry is where a timer ends up that goes as many hours ahead of the hour
// pointer as its interval has, and then to its minutes and seconds.
func articlesExpiry(now, interval schemes.Tick) schemes.Tick {
	const hour = 3600
	return (now/hour+interval/hour)*hour + interval%hour
}

package claims

import (
	"timerlab/harness/run"
	"timerlab/schemes"
)

// What later articles say, and traps in some of them.

var articleChecks = checks{
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
	"Z-8": {counted: func(l *lab) {
		const interval = (11*60+15)*60 + 15
		now := clockTime(0, 10, 24, 30)
		l.counted(interval, float64(articlesExpiry(now, interval)-now), "ticks until a timer of 11:15:15 started at "+
			"10:24:30 expires, by the article's rule")
		for _, scheme := range []string{"hierarchical", "hierarchical-interval"} {
			l.counted(interval, dueAfter(l, scheme, schemes.Config{Now: now, Levels: paperWheels}, interval),
				"the same, %s", scheme)
		}
	}},
}

// articlesExpiry runs the article's rule on wheels in step with the clock: the timer waits as many
// hours ahead of the hour pointer as its interval has, then in the slot of its minutes and then in
// that of its seconds. It returns the tick on which the timer expires.
func articlesExpiry(now, interval schemes.Tick) schemes.Tick {
	hour, minute, second := interval/3600, interval/60%60, interval%60
	inHour, inMinute, inSecond := (now/3600+hour)%24, minute, second
	for waits := "hour"; ; now++ {
		if waits == "hour" && now/3600%24 == inHour {
			waits = "minute"
		}
		if waits == "minute" && now/60%60 == inMinute {
			waits = "second"
		}
		if waits == "second" && now%60 == inSecond {
			return now
		}
	}
}

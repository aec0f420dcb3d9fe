package claims

import (
	"math"
	"slices"

	"timerlab/harness/cost"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Scheme 7: hierarchical wheels (section 6.2, and what later articles say of them), but for the choice
// between 6 and 7 (choicechecks.go) and precision (precision.go).

// paperWheels is the paper's hierarchy: seconds, minutes, hours and days.
var paperWheels = []int{60, 60, 24, 100}

// clockTime returns a time on those wheels in seconds.
func clockTime(day, hour, minute, second schemes.Tick) schemes.Tick {
	return ((day*24+hour)*60+minute)*60 + second
}

var hierarchyChecks = map[string]func(*lab){
	"V-1": func(l *lab) {
		sum := run.Subject{Levels: paperWheels}.TotalSlots()
		reach := reachOf("hierarchical", schemes.Config{Levels: paperWheels})
		l.counted(244, float64(sum), "slots of the four wheels")
		l.counted(8_640_000, reach, "ticks that they reach, and slots of scheme 4 for the same")
		l.counted(reach, reachOf("simplewheel", schemes.Config{Slots: 8_640_000}),
			"ticks that as many slots reach in scheme 4")
		l.counted(35_410, math.Round(reach/float64(sum)), "ratio")
	},
	"V-2": func(l *lab) {
		now := clockTime(11, 10, 24, 30)
		s := l.new("hierarchical", schemes.Config{Now: now, Levels: paperWheels})
		l.start(s, 50*60+45, 7)
		for _, stop := range []struct {
			until       schemes.Tick
			level, slot float64
			what        string
		}{
			{clockTime(11, 10, 24, 30), 2, 11, "10:24:30"},
			{clockTime(11, 10, 59, 59), 2, 11, "10:59:59"},
			{clockTime(11, 11, 0, 0), 1, 15, "11:00:00"},
			{clockTime(11, 11, 14, 59), 1, 15, "11:14:59"},
			{clockTime(11, 11, 15, 0), 0, 15, "11:15:00"},
			{clockTime(11, 11, 15, 14), 0, 15, "11:15:14"},
		} {
			for ; now < stop.until; now++ {
				s.PerTick()
			}
			at := l.place(s, 7)
			l.counted(stop.level, float64(at.Level), "level at %s", stop.what)
			l.counted(stop.slot, float64(at.Slot), "slot at %s", stop.what)
		}
		l.counted(1, float64(s.PerTick()), "timers due at 11:15:15")
		l.counted(2, float64(s.Counts().Migrations), "migrations")
	},
	// The check starts a timer for every fourth tick, so that all upper slots but those of digit 0,
	// which hold none, are occupied, and counts the ticks on which timers leave an upper wheel, over
	// a revolution of all.
	"V-3": func(l *lab) {
		s := l.new("hierarchical", schemes.Config{Levels: []int{4, 8, 4}})
		const revolution = 4 * 8 * 4
		for deadline := schemes.Tick(4); deadline < revolution; deadline += 4 {
			l.start(s, deadline, schemes.ID(deadline))
		}
		var left [3]float64
		between := 0.0
		for tick, before := 1, levelsOf(s); tick < revolution; tick++ {
			s.PerTick()
			now, moved := levelsOf(s), [3]bool{}
			for id, level := range before {
				moved[level] = moved[level] || now[id] != level
			}
			for level, width := range []int{1, 4, 4 * 8} {
				if level > 0 && moved[level] {
					left[level]++
					between += float64(min(1, tick%width))
				}
			}
			before = now
		}
		l.counted(4*(8-1), left[1], "ticks of %d on which timers leave the second wheel, of 8 slots: a move every 4 "+
			"ticks, but for those to slot 0", revolution)
		l.counted(4-1, left[2], "ticks on which timers leave the third wheel, of 4 slots: a move every 32 ticks")
		l.counted(0, between, "of them within a revolution of the wheel below")
	},
	"V-5x": func(l *lab) {
		for _, rule := range levelRules {
			for _, T := range []schemes.Tick{64, 256, 1024, 4096, 65_536} {
				for _, stops := range []bool{false, true} {
					if stops && T > 4096 {
						continue // intervals beyond the wheels' range
					}
					predicted, counted := migrationsPerTimer(l, rule, T, stops)
					l.sampled(predicted, counted, "migrations for each timer, %s, %s, T = %d, 4 wheels of 64",
						rule.scheme, withStops(stops), T)
				}
			}
		}
	},
	// The check starts timers of every interval at once, in a scattered order.
	"V-10": func(l *lab) {
		levels := []int{8, 4, 16}
		const reach = 8 * 4 * 16
		s := l.new("hierarchical", schemes.Config{Levels: levels})
		digits := 0.0
		for i := range schemes.Tick(reach - 1) {
			interval := 1 + i*211%(reach-1)
			l.start(s, interval, schemes.ID(interval))
			for _, radix := range levels {
				if interval%schemes.Tick(radix) != 0 {
					digits++
				}
				interval /= schemes.Tick(radix)
			}
		}
		var order []schemes.ID
		for range reach {
			s.PerTick()
			s.Expire(func(id schemes.ID) { order = append(order, id) })
		}
		sorted := 0.0
		if slices.IsSorted(order) && len(order) == reach-1 {
			sorted = 1
		}
		l.counted(1, sorted, "all %d timers come out, sorted (1: yes)", reach-1)
		l.counted(digits, float64(s.Counts().Visits),
			"times that timers are handled; predicted: the digits other than 0 of their expiries")
	},
	"Z-4": func(l *lab) {
		years := []int{60, 60, 24, 365, 100}
		l.counted(144, 60+60+24, "slots for a day")
		l.counted(86_400, reachOf("hierarchical", schemes.Config{Levels: []int{60, 60, 24}}), "ticks that they reach")
		l.counted(609, float64(run.Subject{Levels: years}.TotalSlots()), "slots for a hundred years")
		l.counted(100*365*86_400, reachOf("hierarchical", schemes.Config{Levels: years}), "ticks that they reach")
	},
	"Z-5": func(l *lab) {
		s := l.new("hierarchical", schemes.Config{Levels: paperWheels})
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
	},
	"Z-8": func(l *lab) {
		const interval = (11*60+15)*60 + 15
		now := clockTime(0, 10, 24, 30)
		l.counted(interval, float64(articlesExpiry(now, interval)-now), "ticks until a timer of 11:15:15 started at "+
			"10:24:30 expires, by the article's rule")
		for _, scheme := range []string{"hierarchical", "hierarchical-interval"} {
			l.counted(interval, l.dueAfter(scheme, schemes.Config{Now: now, Levels: paperWheels}, interval),
				"the same, %s", scheme)
		}
	},
}

// reachOf returns a scheme's range.
func reachOf(scheme string, cfg schemes.Config) float64 {
	return float64(subject(scheme, 0, 0).Info.Range(cfg))
}

// levelsOf returns the levels of the timers that are not due; a due one is on level 0.
func levelsOf(s counting) map[schemes.ID]int {
	levels := map[schemes.ID]int{}
	s.View(func(p schemes.Place) bool {
		levels[p.ID] = p.Level
		return true
	})
	return levels
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

// migrationsPerTimer counts on four wheels of 64. The run is a whole turn of the
// third wheel, since timers migrate at the ends of revolutions, or eight of them where
// many intervals reach beyond the second.
func migrationsPerTimer(l *lab, rule levelRule, T schemes.Tick, stops bool) (predicted float64, counted Value) {
	const second, third = 64 * 64, 64 * 64 * 64
	e := l.experiment("%s m=64x64x64x64 n=2000 T=%d warm=%d each=%d", rule.scheme, T, second, third/batches)
	if stops {
		e.spec = mostlyStopped(e.spec)
	}
	lives := e.spec.Lives()
	if cost.HeldPerLive(lives)*float64(T) > second/2 {
		e.warm, e.each, e.spec.N = third, 8*third/batches, min(2000, max(64, int(T/8)))
	}
	if T > second { // the fourth wheel matters too: a whole turn of the third in each batch
		e.each = third
	}
	return rule.migrations(lives, e.cfg.Levels), l.run(e).per(migrations, ended)
}

// levelRule is how a timer's level is chosen.
type levelRule struct {
	scheme     string
	migrations func(lives []workload.Life, radices []int) float64
}

var levelRules = []levelRule{
	{"hierarchical", cost.Migrations7},
	{"hierarchical-interval", cost.MigrationsByInterval},
}

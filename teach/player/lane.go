package player

import (
	"errors"
	"fmt"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// lane is one scheme on the timeline, with a client that keeps the handles of its timers.
type lane struct {
	LaneFrame // Frame sets its Places, Formulas and counts
	scheme    schemes.Scheme
	handles   map[uint32]schemes.Handle
	ready     schemes.Counts // at the end of the prefill
	last      schemes.Counts // before the last step
	tick      schemes.Counts // before the present tick
}

// newLane returns a scheme at tick 0 of a state, without timers.
func newLane(info *schemes.Info, s *State, in *input) *lane {
	scheme, _ := info.New(s.Config(info))
	l := &lane{LaneFrame: LaneFrame{Info: info}, scheme: scheme, handles: map[uint32]schemes.Handle{}}
	longest, limit := schemes.Tick(0), info.Range(s.Config(info))
	for _, o := range in.ops {
		longest = max(longest, o.Interval)
	}
	if longest > limit {
		l.Refused = fmt.Sprintf("The longest interval is %s, but this scheme takes at most %s.",
			ticksText(longest), ticksText(limit))
	}
	return l
}

func (l *lane) counts() schemes.Counts { return l.scheme.(schemes.Counter).Counts() }

func (l *lane) perTick() {
	l.tick, l.Expired = l.counts(), nil // which a Frame may have
	l.last = l.tick
	l.scheme.PerTick()
}

// expire hands out the due timers, on a tick since the clock's start.
func (l *lane) expire(tick schemes.Tick) {
	l.last = l.counts()
	l.scheme.Expire(func(id schemes.ID) {
		l.Expired = append(l.Expired, id)
		l.Outcome.Expired++
		l.Outcome.Checksum += workload.Mix(tick, id)
	})
}

// do applies operations as one step, as package run's Drive does. A timer that a scheme without
// exact deadlines has expired early is started instead of restarted.
func (l *lane) do(ops ...workload.Op) {
	l.last = l.counts()
	for _, o := range ops {
		switch o.Kind {
		case workload.Stop:
			if l.scheme.Stop(l.handles[o.Timer]) {
				l.Outcome.Stopped++
			}
			continue
		case workload.Restart:
			h, err := l.scheme.(schemes.Restarter).Restart(l.handles[o.Timer], o.Interval)
			if err == nil {
				l.handles[o.Timer] = h
				l.Outcome.Stopped++
				l.Outcome.Started++
			}
			if !errors.Is(err, schemes.ErrHandle) {
				continue // a refused interval leaves the timer as it was
			}
		}
		if h, err := l.scheme.Start(o.Interval, schemes.ID(o.Timer)); err == nil {
			l.handles[o.Timer] = h
			l.Outcome.Started++
		}
	}
}

func (l *lane) places() []schemes.Place { return slices.Collect(l.scheme.(schemes.Viewer).View) }

func (l *lane) find(id schemes.ID) (place schemes.Place, ok bool) {
	for p := range l.scheme.(schemes.Viewer).View {
		if p.ID == id {
			return p, true
		}
	}
	return place, false
}

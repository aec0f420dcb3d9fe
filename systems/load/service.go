package load

import "timerlab/systems/internal/subject"

// service is what the timers of a workload run on, with what a population must know to begin in its
// steady state.
type service struct {
	subject.Service
	clocked       bool // the driver wakes up for each tick, as the loop that it is
	scheme        bool // the driver's loop runs the scheme that was picked
	movesTimers   bool // restarted timers are moved in a heap, many at once: see restartedEvery
	looksTogether bool // restarted timers are looked at together, on 16 to 32 ticks of an interval
}

var (
	goTimers     = service{Service: subject.GoTimers, movesTimers: true}
	sharded      = service{Service: subject.Sharded, looksTogether: true}
	fixedTimeout = service{Service: subject.FixedTimeout}
	noTimers     = service{Service: subject.Nothing}
	ownLoop      = loop("a loop of your own", true)
	bareLoop     = loop("a loop without timers", false)
)

func loop(name string, scheme bool) service {
	return service{Service: subject.Service{Name: name, Open: subject.Nothing.Open}, clocked: true, scheme: scheme}
}

package peers

import (
	"time"

	"github.com/antlabs/timer"

	"timerlab/schemes"
)

// Antlabs is antlabs/timer as its README constructs it: five wheels of 256, 64, 64, 64
// and 64 slots. Its tick of 10 ms cannot be chosen.
var Antlabs = peer(Peer{
	Info:     clockedInfo("antlabs", "antlabs/timer", 7, 10*time.Millisecond, newAntlabs),
	Clock:    Real,
	Tick:     10 * time.Millisecond,
	Source:   "github.com/antlabs/timer@v0.1.4",
	Settings: "a tick is 10 ms, NewTimer without options (wheels of 256, 64, 64, 64, 64 slots), AfterFunc",
})

type antlabs struct {
	*inbox
	timer timer.Timer
}

func newAntlabs(_ schemes.Config, b *inbox) (facility[timer.TimeNoder], error) {
	t := timer.NewTimer()
	go t.Run()
	return antlabs{b, t}, nil
}

func (a antlabs) start(d time.Duration, h schemes.Handle) timer.TimeNoder {
	return a.timer.AfterFunc(d, func() { a.put(h) })
}

func (a antlabs) stop(_ schemes.Handle, t timer.TimeNoder) bool { return t.Stop() }

func (a antlabs) close() { a.timer.Stop() }

package workload

import (
	"math"
	"slices"

	"timerlab/schemes"
)

// Mixture is a workload of the closed model (Hold) whose lifetimes are given as a list,
// such as those of a real program: N timers, each of whose lifetimes is one of Lives,
// drawn independently in proportion to their shares.
type Mixture struct {
	N     int
	Lives []Life // intervals and stays from 1 tick; shares above 0, of any sum
	Ticks schemes.Tick
	Seed  uint64
}

// MaxLives is the largest number of lives of a mixture.
const MaxLives = 1 << 20

// Check returns an error wrapping ErrSpec if the mixture is invalid.
func (m Mixture) Check() error {
	if err := checkRun(m.N, m.Ticks); err != nil {
		return err
	}
	if len(m.Lives) < 1 || len(m.Lives) > MaxLives {
		return badSpec("%d lives (use 1 to %d)", len(m.Lives), MaxLives)
	}
	for i, l := range m.Lives {
		switch {
		case l.Interval < 1 || l.Interval > MaxTicks:
			return badSpec("life %d: interval %d (use 1 to %d)", i, l.Interval, MaxTicks)
		case l.Stay < 1 || l.Stay > l.Interval:
			return badSpec("life %d: stay %d (use 1 to its interval, %d)", i, l.Stay, l.Interval)
		case !(l.Share > 0) || math.IsInf(l.Share, 0):
			return badSpec("life %d: share %v (use a number above 0)", i, l.Share)
		}
	}
	if ops := m.operations(); ops > MaxOps {
		return badSpec("N = %d timers that stay %.4g ticks would make %.3g operations in Ticks = %d (use at most %d)",
			m.N, m.Stay(), ops, m.Ticks, MaxOps)
	}
	return nil
}

// Stay returns T, the mean time that a timer stays, in ticks.
func (m Mixture) Stay() float64 {
	stays, shares := 0.0, 0.0
	for _, l := range m.Lives {
		stays += l.Share * float64(l.Stay)
		shares += l.Share
	}
	return stays / shares
}

// operations returns about how many operations the trace has: two for each life.
func (m Mixture) operations() float64 {
	return float64(m.N) * (1 + 2*float64(m.Ticks)/m.Stay())
}

// Trace makes the mixture's trace. It returns an error wrapping ErrSpec if the mixture is
// invalid.
func (m Mixture) Trace() (*Trace, error) {
	s, err := m.Stream()
	if err != nil {
		return nil, err
	}
	return s.whole(m.Ticks), nil
}

// drawn draws from a list of lives.
type drawn struct {
	lives  []Life
	begun  []uint64  // running sums of the shares, in units of 1/shareScale
	during []float64 // running sums of the shares times the stays
}

const shareScale = 1 << 62

func newDrawn(lives []Life) *drawn {
	d := &drawn{lives: lives, begun: make([]uint64, len(lives)), during: make([]float64, len(lives))}
	all := 0.0
	for _, l := range lives {
		all += l.Share
	}
	begun, during := 0.0, 0.0
	for i, l := range lives {
		begun += l.Share / all
		during += l.Share / all * float64(l.Stay)
		d.begun[i], d.during[i] = uint64(begun*shareScale), during
	}
	d.begun[len(lives)-1] = shareScale
	return d
}

func (d *drawn) fresh(r *random) Life {
	i, _ := slices.BinarySearch(d.begun, r.below(shareScale)+1)
	return d.lives[i]
}

// aged draws in proportion to share and stay, at an age uniform on the stay.
func (d *drawn) aged(r *random) Life {
	at := float64(r.next()>>11) / (1 << 53) * d.during[len(d.during)-1]
	i, _ := slices.BinarySearch(d.during, at)
	l := d.lives[min(i, len(d.lives)-1)]
	return l.after(schemes.Tick(r.below(uint64(l.Stay))))
}

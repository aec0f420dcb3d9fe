package peers

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/RussellLuo/timingwheel"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Half of the lifetimes of brief and long end by stops and restarts. The intervals
// of brief go round every hashed wheel several times, those of long reach the third
// level of every hierarchy.
var (
	brief = workload.Spec{
		N: 2000, T: 300, Dist: workload.Exp(), Stop: 0.3, StopAt: 0.5, Restart: 0.2, RestartAt: 0.3, Ticks: 3000, Seed: 1,
	}
	long = workload.Spec{
		N: 500, T: 8000, Dist: workload.Exp(), Stop: 0.3, StopAt: 0.5, Restart: 0.2, RestartAt: 0.3, Ticks: 40_000, Seed: 2,
	}
)

// behaviour is the table in doc.go.
var behaviour = []struct {
	peer     *Peer
	late     schemes.Tick // of every timer started right after a tick
	earliest float64      // ticks by which one started between two ticks is early at most, in tenths of a tick
	latest   float64      // by which it is late
}{
	{ValueHeap, 0, 0, 0},
	{Lean, 0, 0, 0},
	{ContainerHeap, 0, 0, 0},
	{GoogleBTree, 0, 0, 0},
	{TidwallBTree, 0, 0, 0},
	{GoTimers, 0, 0, 0},
	{RussellLuo, 0, 0.9, 0},
	{Antlabs, 1, 0, 0.9},
	{GoTimewheel, 1, 0, 0.9},
	{GoZero, 0, 0.9, 0},
}

// doc.go says what the table says.
func TestBehaviourIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	require.Len(t, behaviour, len(Peers))
	for i, b := range behaviour {
		require.Same(t, Peers[i], b.peer)
		tick, between := "-", "-"
		if b.peer.Tick > 0 {
			tick = strings.ReplaceAll(b.peer.Tick.String(), "m", " m")
			tick = strings.Replace(tick, "1s", "1 s", 1)
			between = words(b.earliest, b.latest)
		}
		on := "exact"
		if b.late > 0 {
			on = fmt.Sprintf("%d late", b.late)
		}
		row := fmt.Sprintf("%-13s %-7s %-18s %s", b.peer.Info.Name, tick, on, between)
		assert.Contains(t, string(doc), "//\t"+row+"\n")
	}
}

// words describes the error of timers started at nine moments between two ticks.
func words(earliest, latest float64) string {
	switch {
	case earliest == 0 && latest == 0:
		return "exact"
	case earliest == 0:
		return "up to a tick late"
	case latest == 0:
		return "up to a tick early"
	}
	return "up to a tick early or late"
}

// No peer loses, doubles or hands out a stopped timer, none refuses a stop, and all
// timers of a peer are late by the same.
func TestAudit(t *testing.T) {
	for _, spec := range []workload.Spec{brief, long} {
		trace, err := spec.Trace()
		require.NoError(t, err)
		for _, b := range behaviour {
			t.Run(fmt.Sprintf("%s/T=%d", b.peer.Info.Name, spec.T), func(t *testing.T) {
				want := Report{Started: int(trace.Want.Started), Stopped: int(trace.Want.Stopped)}
				want.OnTime = want.Started - want.Stopped
				if b.late > 0 {
					want.OnTime, want.Late, want.MaxLate = 0, want.OnTime, b.late
				}
				inBubble(t, b.peer, schemes.Config{Capacity: spec.N}, func(s schemes.Scheme) {
					got, err := Audit(s, trace, 1000)
					require.NoError(t, err)
					assert.Equal(t, want, got, got.String())
				})
			})
		}
	}
}

// Another number of slots changes nothing.
func TestAuditOfSlots(t *testing.T) {
	trace, err := brief.Trace()
	require.NoError(t, err)
	for _, b := range behaviour {
		for _, slots := range []int{2, 7, 64, 4096} {
			if b.peer.Tick == 0 {
				continue
			}
			inBubble(t, b.peer, schemes.Config{Slots: slots}, func(s schemes.Scheme) {
				got, err := Audit(s, trace, 1000)
				require.NoError(t, err)
				assert.Equal(t, trace.Want.Started-trace.Want.Stopped, uint64(got.OnTime+got.Late), got.String())
				assert.Equal(t, b.late, got.MaxLate, got.String())
			})
		}
	}
}

// Programs start timers between ticks. A peer that counts from the previous tick is early
// by the time since then, and one that counts from the next tick is late by the rest.
func TestBetweenTicks(t *testing.T) {
	for _, b := range behaviour {
		if b.peer.Tick == 0 {
			continue
		}
		earliest, latest := 0.0, 0.0
		for phase := 1; phase <= 9; phase++ {
			took := between(t, b.peer, phase)
			earliest, latest = max(earliest, float64(30-took)/10), max(latest, float64(took-30)/10)
		}
		assert.Equal(t, b.earliest, earliest, "%s: early", b.peer.Info.Name)
		assert.Equal(t, b.latest, latest, "%s: late", b.peer.Info.Name)
	}
}

// between starts a timer of 3 ticks phase tenths of a tick after a tick and
// returns the tenths of a tick until it expires. Others, started on the tick, keep
// the peer busy: one that sleeps until its next timer may be more exact alone.
func between(t *testing.T, p *Peer, phase int) (took int) {
	synctest.Test(t, func(t *testing.T) {
		s, err := p.Info.New(schemes.Config{})
		require.NoError(t, err)
		c := s.(interface {
			collect() int
			Close()
		})
		defer c.Close()
		time.Sleep(5 * p.Tick)
		for interval := schemes.Tick(1); interval < 9; interval++ {
			start(t, s, interval, 0)
		}
		time.Sleep(time.Duration(phase) * p.Tick / 10)
		start(t, s, 3, 1)
		for done := false; !done; took++ {
			require.Less(t, took, 100, p.Info.Name)
			time.Sleep(p.Tick / 10)
			synctest.Wait()
			c.collect()
			s.Expire(func(id schemes.ID) { done = done || id == 1 })
		}
	})
	return took
}

// One timer alone is not early: its wheel sleeps until then, and not to the tick.
// With a tick that floating-point seconds do not hold, go-timewheel is late by none or
// one.
func TestParticulars(t *testing.T) {
	inBubble(t, RussellLuo, schemes.Config{}, func(s schemes.Scheme) {
		time.Sleep(RussellLuo.Tick / 2)
		start(t, s, 3, 1)
		time.Sleep(3*RussellLuo.Tick - 1)
		synctest.Wait()
		assert.Zero(t, s.(*clocked[*timingwheel.Timer]).collect())
		time.Sleep(1)
		synctest.Wait()
		assert.Equal(t, 1, s.(*clocked[*timingwheel.Timer]).collect())
	})
	trace, err := brief.Trace()
	require.NoError(t, err)
	p := realPeer(Peer{Info: GoTimewheel.Info, Tick: 100 * time.Millisecond}, openGoTimewheel)
	inBubble(t, p, schemes.Config{}, func(s schemes.Scheme) {
		r, err := Audit(s, trace, 1000)
		require.NoError(t, err)
		assert.Equal(t, r.Started-r.Stopped, r.OnTime+r.Late, r.String())
		assert.Equal(t, schemes.Tick(1), r.MaxLate)
		assert.Positive(t, r.OnTime)
	})
}

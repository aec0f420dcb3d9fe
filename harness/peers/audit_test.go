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

// between is how early and how late, in ticks, a timer is at most that is started at one of nine
// moments between two ticks; peers that are not listed are exact.
var between = map[*Peer]struct{ early, late float64 }{
	RussellLuo: {0.9, 0},
	Antlabs:    {0, 0.9},
	GoZero:     {0.9, 0},
}

// doc.go says what the table says.
func TestBehaviourIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	for _, p := range Peers {
		tick, on, off := "-", "exact", "-"
		if p.Tick > 0 {
			tick = strings.NewReplacer("m", " m", "1s", "1 s").Replace(p.Tick.String())
			off = map[[2]bool]string{{}: "exact", {true, false}: "up to a tick early", {false, true}: "up to a tick late"}[[2]bool{
				between[p].early > 0, between[p].late > 0}]
		}
		if p.Late > 0 {
			on = fmt.Sprintf("%d late", p.Late)
		}
		row := fmt.Sprintf("%-13s %-7s %-18s %s", p.Info.Name, tick, on, off)
		assert.True(t, strings.Contains(string(doc), "//\t"+row+"\n"), "the table has no row %q", row)
	}
}

// No peer loses, doubles or hands out a stopped timer, none refuses a stop, and all
// timers of a peer are late by the same.
func TestAudit(t *testing.T) {
	for _, spec := range []workload.Spec{brief, long} {
		trace, err := spec.Trace()
		require.NoError(t, err)
		for _, p := range Peers {
			t.Run(fmt.Sprintf("%s/T=%d", p.Info.Name, spec.T), func(t *testing.T) {
				want := Report{Started: int(trace.Want.Started), Stopped: int(trace.Want.Stopped)}
				want.OnTime = want.Started - want.Stopped
				if p.Late > 0 {
					want.OnTime, want.Late, want.MaxLate = 0, want.OnTime, p.Late
				}
				inBubble(t, p, schemes.Config{Capacity: spec.N}, func(s schemes.Scheme) {
					got, err := Audit(s, trace, 1000)
					require.NoError(t, err)
					assert.Equal(t, want, got)
				})
			})
		}
	}
}

// Another number of slots changes nothing.
func TestAuditOfSlots(t *testing.T) {
	trace, err := brief.Trace()
	require.NoError(t, err)
	for _, p := range realPeers() {
		for _, slots := range []int{2, 7, 64, 4096} {
			inBubble(t, p, schemes.Config{Slots: slots}, func(s schemes.Scheme) {
				got, err := Audit(s, trace, 1000)
				require.NoError(t, err)
				assert.Equal(t, trace.Want.Started-trace.Want.Stopped, uint64(got.OnTime+got.Late), "%+v", got)
				assert.Equal(t, p.Late, got.MaxLate, "%+v", got)
			})
		}
	}
}

// Programs start timers between ticks. A peer that counts from the previous tick is early
// by the time since then, and one that counts from the next tick is late by the rest.
func TestBetweenTicks(t *testing.T) {
	for _, p := range realPeers() {
		early, late := 0.0, 0.0
		for phase := 1; phase <= 9; phase++ {
			took := startedBetween(t, p, phase)
			early, late = max(early, float64(30-took)/10), max(late, float64(took-30)/10)
		}
		assert.Equal(t, between[p].early, early, "%s: early", p.Info.Name)
		assert.Equal(t, between[p].late, late, "%s: late", p.Info.Name)
	}
}

// startedBetween starts a timer of 3 ticks phase tenths of a tick after a tick and
// returns the tenths of a tick until it expires. Others, started on the tick, keep
// the peer busy: one that sleeps until its next timer may be more exact alone.
func startedBetween(t *testing.T, p *Peer, phase int) (took int) {
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

// With RussellLuo's wheel one timer alone is not early: the wheel sleeps until its deadline, and
// not to the tick.
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
}

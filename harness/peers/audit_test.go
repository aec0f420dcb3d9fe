package peers

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/drive"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Half of the lifetimes of brief and long end by stops and restarts. The intervals of brief go round every
// hashed wheel several times, those of long reach the third level of every hierarchy.
var (
	brief = workload.Spec{
		N: 2000, T: 300, Dist: workload.Exp, Stop: 0.3, StopAt: 0.5, Restart: 0.2, RestartAt: 0.3, Ticks: 3000, Seed: 1,
	}
	long = workload.Spec{
		N: 500, T: 8000, Dist: workload.Exp, Stop: 0.3, StopAt: 0.5, Restart: 0.2, RestartAt: 0.3, Ticks: 40_000, Seed: 2,
	}
)

// early is how early, in ticks, a timer is at most that is started at one of nine moments between
// two ticks. None is late.
var early = map[*Peer]float64{
	RussellLuo: 0.9, GoZero: 0.9, GoFrame: 0.9, Antlabs: 0.9, GoTimewheel: 0.9,
}

// doc.go says what the table says.
func TestBehaviourIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	for _, p := range Peers {
		tick, off := "-", "-"
		if p.Tick > 0 {
			tick = strings.NewReplacer("m", " m", "1s", "1 s").Replace(p.Tick.String())
			off = map[bool]string{false: "exact", true: "up to a tick early"}[early[p] > 0]
		}
		row := fmt.Sprintf("%-13s %-7s %s", p.Info.Name, tick, off)
		assert.True(t, strings.Contains(string(doc), "//\t"+row+"\n"), "the table has no row %q", row)
	}
}

// No peer loses, doubles or hands out a stopped timer, none refuses a stop, and all timers expire on
// their tick, whatever the number of slots.
func TestAudit(t *testing.T) {
	for _, spec := range []workload.Spec{brief, long} {
		trace, err := spec.Trace()
		require.NoError(t, err)
		for _, p := range Peers {
			for _, slots := range []int{0, 2, 7, 64, 4096} {
				if slots > 0 && (p.Tick == 0 || spec.T == long.T) {
					continue
				}
				t.Run(fmt.Sprintf("%s/T=%d/M=%d", p.Info.Name, spec.T, slots), func(t *testing.T) {
					inBubble(t, p, schemes.Config{Capacity: spec.N, Slots: slots}, func(s schemes.Scheme) {
						d := drive.New(s, trace)
						require.NoError(t, d.Fill())
						require.NoError(t, d.Run(nil))
						require.NoError(t, d.Verify())
						expired := uint64(0)
						for range trace.Longest {
							s.PerTick()
							s.Expire(func(schemes.ID) { expired++ })
						}
						assert.Equal(t, trace.Want.Outstanding, expired, "timers that are outstanding at the trace's end")
						if c, ok := s.(interface {
							kept() (strays []schemes.Handle, refused int)
						}); ok {
							strays, refused := c.kept()
							assert.Empty(t, strays, "reported although they had been stopped, or twice")
							assert.Zero(t, refused, "stopped in time, which the peer reports as too late")
						}
					})
				})
			}
		}
	}
}

// Programs start timers between ticks. A peer that counts from the previous tick is early by the time since then.
func TestBetweenTicks(t *testing.T) {
	for _, p := range realPeers() {
		most := 0.0
		for phase := 1; phase <= 9; phase++ {
			took := startedBetween(t, p, phase)
			most = max(most, float64(30-took)/10)
			assert.LessOrEqual(t, took, 30, "%s is late", p.Info.Name)
		}
		assert.Equal(t, early[p], most, "%s: early", p.Info.Name)
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

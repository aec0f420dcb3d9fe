package peers

import (
	"cmp"
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

// early is how early, in ticks, a timer is at most that is started at one of nine moments between
// two ticks. None is late.
var early = map[*Peer]float64{RussellLuo: 0.9, GoZero: 0.9}

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

// No peer loses, doubles or hands out a stopped timer, none refuses a stop, and all
// timers expire on their tick, whatever the number of slots.
func TestAudit(t *testing.T) {
	for _, spec := range []workload.Spec{brief, long} {
		trace, err := spec.Trace()
		require.NoError(t, err)
		started, stopped := int(trace.Want.Started), int(trace.Want.Stopped)
		want := map[string]int{"started": started, "stopped": stopped, "on time": started - stopped}
		for _, p := range Peers {
			for _, slots := range []int{0, 2, 7, 64, 4096} {
				if slots > 0 && (p.Tick == 0 || spec.T == long.T) {
					continue
				}
				t.Run(fmt.Sprintf("%s/T=%d/M=%d", p.Info.Name, spec.T, slots), func(t *testing.T) {
					inBubble(t, p, schemes.Config{Capacity: spec.N, Slots: slots}, func(s schemes.Scheme) {
						got, err := runAudit(s, trace, 1000)
						require.NoError(t, err)
						assert.Equal(t, want, got)
					})
				})
			}
		}
	}
}

// Programs start timers between ticks. A peer that counts from the previous tick is early by the
// time since then.
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

// With RussellLuo's wheel one timer alone is not early: the wheel sleeps until its deadline, and
// not to the tick.
func TestParticulars(t *testing.T) {
	inBubble(t, RussellLuo, schemes.Config{}, func(s schemes.Scheme) {
		time.Sleep(RussellLuo.Tick / 2)
		start(t, s, 3, 1)
		time.Sleep(3*RussellLuo.Tick - 1)
		synctest.Wait()
		assert.Zero(t, s.(*clocked[*timingwheel.Timer]).collect())
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		assert.Equal(t, 1, s.(*clocked[*timingwheel.Timer]).collect())
	})
}

// runAudit drives a scheme through a trace, then for its longest interval and patience more
// ticks, and returns how many lifetimes were
//
//	started   begun; a restart is a stop and a start
//	stopped   ended by a stop
//	on time   expired in the interval-th PerTick after the start
//	early     expired before that
//	late      expired after it
//	lost      neither stopped nor expired long after the trace's end
//	expired   not stopped because the timer had expired early
//	refused   stopped in time, which the peer reports as too late
//	revived   reported although they had been stopped
//	doubled   reported again
//
// Of an exact scheme only the first three are counted. Unlike a run.Drive it tolerates what no
// exact scheme does. A scheme on a real clock must be created and audited in a bubble.
func runAudit(s schemes.Scheme, t *workload.Trace, patience schemes.Tick) (map[string]int, error) {
	a := &audit{scheme: s, current: make([]int, t.Timers), counts: map[string]int{}}
	action := a.expired
	ops := t.Ops
	for end := t.Ticks + t.Longest + patience; ; {
		for ; len(ops) > 0 && ops[0].Tick == a.now; ops = ops[1:] {
			if err := a.apply(ops[0]); err != nil {
				return nil, err
			}
		}
		if a.now == end {
			a.finish()
			return a.counts, nil
		}
		a.now++
		if s.PerTick() > 0 {
			s.Expire(action)
		}
	}
}

// audit is a run of runAudit. Lifetimes are numbered, and their numbers are the IDs.
type audit struct {
	scheme  schemes.Scheme
	now     schemes.Tick
	lives   []life
	current []int // by the client's timer: its latest lifetime
	counts  map[string]int
}

type life struct {
	handle   schemes.Handle
	deadline schemes.Tick
	end      string // "stopped", "expired", or "" while it waits
}

func (a *audit) apply(op workload.Op) error {
	if op.Kind != workload.Start {
		a.stop(&a.lives[a.current[op.Timer]])
	}
	if op.Kind == workload.Stop {
		return nil
	}
	h, err := a.scheme.Start(op.Interval, schemes.ID(len(a.lives)))
	if err != nil {
		return fmt.Errorf("tick %d, timer %d: %w", a.now, op.Timer, err)
	}
	a.current[op.Timer] = len(a.lives)
	a.lives = append(a.lives, life{handle: h, deadline: a.now + op.Interval})
	a.counts["started"]++
	return nil
}

func (a *audit) stop(l *life) {
	if !a.scheme.Stop(l.handle) {
		a.counts["expired"]++
		return
	}
	l.end = "stopped"
	a.counts["stopped"]++
}

func (a *audit) expired(id schemes.ID) {
	l := &a.lives[id]
	l.end = "expired"
	a.counts[[]string{"early", "on time", "late"}[1+cmp.Compare(a.now, l.deadline)]]++
}

// finish counts the outstanding timers, and what the adapter hid from the client.
func (a *audit) finish() {
	ends := make(map[schemes.Handle]string, len(a.lives))
	for _, l := range a.lives {
		ends[l.handle] = l.end
		if l.end == "" {
			a.counts["lost"]++
		}
	}
	if c, ok := a.scheme.(interface {
		kept() (strays []schemes.Handle, refused int)
	}); ok {
		strays, refused := c.kept()
		if refused > 0 {
			a.counts["refused"] = refused
		}
		for _, h := range strays {
			if ends[h] == "stopped" {
				a.counts["revived"]++
			} else {
				a.counts["doubled"]++
			}
		}
	}
}

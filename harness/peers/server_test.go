package peers

import (
	"context"
	"flag"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// request is for a sample of a cell, of one of our schemes or a peer. A program that interleaves samples runs this
// test binary for each: only a test has bubbles.
var request = flag.String(run.RequestFlag, "", "make a sample")

// pairHotMode is the mode of pairHot, beside those of package run.
const pairHotMode run.Mode = units.PairHotOp

// groups are the workloads. A run lasts a whole revolution of the second of our wheels, so that the timers of the third,
// one in seven where T is 10k, migrate from there too. From n = 1M on a run is shorter, since the slowest peers would
// take minutes: without these migrations, which are a few percent of a lifetime in linked wheels.
var groups = func() (all []run.Group) {
	add := func(mode run.Mode, n int, T, ticks schemes.Tick, with workload.Spec) {
		with.N, with.T, with.Dist, with.Ticks, with.Seed = n, T, workload.Exp, ticks, 1
		all = append(all, run.Group{Mode: mode, Spec: with})
	}
	const (
		revolution = 1 << 16
		quarter    = revolution / 4
	)
	add(run.Lifetimes, 1_000, 10_000, 16*revolution, workload.Spec{})
	add(run.Lifetimes, 100_000, 10_000, revolution, workload.Spec{})
	add(run.Lifetimes, 1_000_000, 10_000, quarter, workload.Spec{})
	add(run.Lifetimes, 1_000_000, 1_000_000, 4*revolution, workload.Spec{})
	add(run.Lifetimes, 10_000_000, 10_000, quarter/4, workload.Spec{})
	restarts := workload.Spec{Restart: 0.99, RestartAt: 0.1}
	add(run.Lifetimes, 100_000, 10_000, revolution, restarts)
	add(run.Lifetimes, 1_000_000, 10_000, quarter, restarts)
	// CPU time is read in microseconds, so a lap is of thousands of operations.
	laps := workload.Spec{Stop: 0.5, StopAt: 0.5, Restart: 0.4, RestartAt: 0.5, Every: 2048}
	add(run.Operations, 100_000, 10_000, revolution, laps)
	add(run.Operations, 1_000_000, 10_000, quarter, laps)
	add(pairHotMode, 100_000, 10_000, 4096, workload.Spec{})
	add(pairHotMode, 1_000_000, 10_000, 4096, workload.Spec{})
	return all
}()

// hashedSlots is the M of the hashed wheels: above most intervals where T = 10k, and
// far below them where T = 1M.
const hashedSlots = 65_536

// limit is the most CPU time of a sample, including its trace and its prefill.
const limit = time.Minute

// cell is a subject and its workload.
type cell struct {
	run.Group
	run.Subject
	real bool // its clock is real, so that it needs a bubble
	ours bool // not a third party's
}

// subjects are ours, the first of them under two names, and the peers, without workloads.
func subjects() (all []cell) {
	for _, label := range []string{"hierarchical-chunked", "hashunsorted-chunked", "hierarchical", "hashunsorted"} {
		info, err := harness.Find(label)
		if err != nil {
			panic(err)
		}
		s := run.Subject{Label: label, Info: info}
		if info.Kind.HasSlots() {
			s.Slots = hashedSlots
		}
		all = append(all, cell{Subject: s, ours: true})
	}
	control := all[0]
	control.Label += units.Again
	all = append(all, control)
	for _, p := range Peers {
		all = append(all, cell{Subject: run.Subject{Label: p.Info.Name, Info: &p.Info}, real: p.Tick > 0,
			ours: p == ValueHeap})
	}
	return all
}

func everything() (all []cell) {
	for _, g := range groups {
		for _, c := range subjects() {
			c.Group, c.Tag = g, "/set="+units.PeersSet
			all = append(all, c)
		}
	}
	return all
}

func (c cell) name() string { return string(c.Mode) + "/" + run.Name(c.Spec, c.Subject) }

func (c cell) rounds() int {
	if c.ours {
		return 12
	}
	return 6
}

// sample makes a sample, in a bubble if the clock is real. Then it closes the scheme, so that the bubble ends.
func (c cell) sample(t *testing.T) (rows []results.Result, err error) {
	if !c.real {
		return c.measure()
	}
	synctest.Test(t, func(t *testing.T) {
		info := *c.Info
		c.Info = &info
		open := info.New
		info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
			s, err := open(cfg)
			if err == nil {
				t.Cleanup(s.(interface{ Close() }).Close)
			}
			return s, err
		}
		rows, err = c.measure()
	})
	return rows, err
}

func (c cell) measure() ([]results.Result, error) {
	if c.Mode != pairHotMode {
		return c.Group.Sample(c.Subject)
	}
	trace, err := c.Spec.Trace()
	if err != nil {
		return nil, err
	}
	row, err := pairHot(c.Subject, trace)
	row.Name = c.name()
	return []results.Result{row}, err
}

// TestServer answers the request.
func TestServer(t *testing.T) {
	if *request == "" {
		t.Skip("nothing is requested")
	}
	var cells []run.Cell
	for _, c := range everything() {
		sample := func(context.Context, int) ([]results.Result, error) { return c.sample(t) }
		cells = append(cells, run.Cell{Name: c.name(), Rounds: c.rounds(), Limit: limit, Sample: sample})
	}
	require.NoError(t, run.Serve(t.Context(), cells, *request, os.Stdout))
}

// No two cells have one name, and every workload has a pair of equal subjects, whose difference is noise.
func TestEveryWorkloadHasAPair(t *testing.T) {
	names, hasPair := map[string]bool{}, map[results.Key]bool{}
	for _, c := range everything() {
		assert.False(t, names[c.name()], "%s twice", c.name())
		names[c.name()] = true
		k := results.ParseKey(c.name())
		_, twin := k.Twin()
		hasPair[k.Comparison()] = hasPair[k.Comparison()] || twin
	}
	for k, has := range hasPair {
		assert.True(t, has, "%v", k)
	}
}

// Every subject comes to the expected outcome of every workload, here a small one.
func TestOutcomes(t *testing.T) {
	if *request != "" {
		t.Skip("a sample is requested")
	}
	for _, c := range everything() {
		c.Spec.N, c.Spec.T, c.Spec.Every, c.Spec.Ticks = min(c.Spec.N, 300), min(c.Spec.T, 1000), c.Spec.Every/16, 4096
		t.Run(c.name(), func(t *testing.T) {
			_, err := c.sample(t)
			require.NoError(t, err)
		})
	}
}

// A scheme with a stop that fails now and then has no time of pairs, whether it says so or not.
func TestPairHotFindsWrongStops(t *testing.T) {
	trace, err := workload.Spec{N: 200, T: 300, Dist: workload.Exp, Ticks: 3000, Seed: 1}.Trace()
	require.NoError(t, err)
	for says, want := range map[bool]string{false: "Stop of an outstanding timer returned false, in pair 49", true: "outcome {"} {
		info := *harness.Schemes[6]
		info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
			s, err := harness.Schemes[6].New(cfg)
			return &unstopped{Scheme: s, says: says}, err
		}
		_, err := pairHot(run.Subject{Info: &info}, trace)
		assert.ErrorContains(t, err, want)
	}
}

// unstopped leaves the 50th timer that is to be stopped.
type unstopped struct {
	schemes.Scheme
	stops int
	says  bool // that it was stopped
}

func (u *unstopped) Stop(h schemes.Handle) bool {
	if u.stops++; u.stops == 50 {
		return u.says
	}
	return u.Scheme.Stop(h)
}

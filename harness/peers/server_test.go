package peers

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/adapter"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// request is for a sample of a cell, of one of our schemes or a peer. A program that interleaves samples runs this
// test binary for each: only a test has bubbles.
var request = flag.String("sample", "", "make a sample")

// pairHotMode is the mode of pairHot, beside the modes of package run.
const pairHotMode run.Mode = units.PairHotOp

// groups are the workloads. A run lasts a whole revolution of the second of our wheels, so that the timers of the third,
// one in seven where T is 10k, migrate from there too. With these T and n = 1M and more a run is shorter, since the
// slowest peers would take minutes, and has no such migrations: they are a few percent of a lifetime in linked wheels.
var groups = func() (all []run.Group) {
	add := func(mode run.Mode, w workload.Spec, n int, T, ticks schemes.Tick) {
		w.N, w.T, w.Dist, w.Ticks, w.Seed = n, T, workload.Exp, ticks, 1
		all = append(all, run.Group{Mode: mode, Spec: w})
	}
	const revolution = 1 << 16
	expiries, restarts := workload.Spec{}, workload.Spec{Restart: 0.99, RestartAt: 0.1}
	// CPU time is read in microseconds, so a lap is of thousands of operations.
	laps := workload.Spec{Stop: 0.5, StopAt: 0.5, Restart: 0.4, RestartAt: 0.5, Every: 2048}
	add(run.Lifetimes, expiries, 1_000, 10_000, 16*revolution)
	add(run.Lifetimes, expiries, 1_000_000, 1_000_000, 4*revolution)
	add(run.Lifetimes, expiries, 10_000_000, 10_000, revolution/16)
	for _, n := range []int{100_000, 1_000_000} {
		ticks := schemes.Tick(min(revolution, revolution/4*1_000_000/n))
		add(run.Lifetimes, expiries, n, 10_000, ticks)
		add(run.Lifetimes, restarts, n, 10_000, ticks)
		add(run.Operations, laps, n, 10_000, ticks)
		add(pairHotMode, expiries, n, 10_000, revolution/16)
	}
	return all
}()

// hashedSlots is the M of the hashed wheels: above most intervals where T = 10k, and far below them where T = 1M.
const hashedSlots = 65_536

// cell is a subject and its workload.
type cell struct {
	run.Group
	run.Subject
	real   bool // its clock is real, so that it needs a bubble
	rounds int
}

const oursRounds, peersRounds = 12, 6

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
		all = append(all, cell{Subject: s, rounds: oursRounds})
	}
	control := all[0]
	control.Label += units.Again
	all = append(all, control)
	for _, p := range Peers {
		c := cell{Subject: run.Subject{Label: p.Info.Name, Info: &p.Info}, real: p.Tick > 0, rounds: peersRounds}
		if p == ValueHeap {
			c.rounds = oursRounds
		}
		all = append(all, c)
	}
	return all
}

func everything() (all []cell) {
	for _, g := range groups {
		of := subjects()
		if g.Mode == run.Lifetimes {
			of = append(of, adapters()...)
		}
		for _, c := range of {
			c.Group, c.Tag = g, "/set="+units.PeersSet
			all = append(all, c)
		}
	}
	return all
}

// adapters are the subjects in other programs, if there are any. One is opened when it is measured.
func adapters() (all []cell) {
	for command := range strings.SplitSeq(os.Getenv(adapter.Variable), ",") {
		name, command, is := strings.Cut(command, "=")
		if !is {
			continue
		}
		info := &schemes.Info{Name: name, New: func(cfg schemes.Config) (schemes.Scheme, error) {
			a, err := adapter.Open(context.Background(), strings.Fields(command)...)
			if err != nil {
				return nil, err
			}
			return a.Info().New(cfg)
		}}
		all = append(all, cell{Subject: run.Subject{Label: name, Info: info}, rounds: peersRounds})
	}
	return all
}

func (c cell) name() string { return string(c.Mode) + "/" + run.Name(c.Spec, c.Subject) }

// sample makes a sample, in a bubble if the clock is real. Then it closes the scheme, so that the bubble ends.
func (c cell) sample(t *testing.T) (rows []results.Result, err error) {
	measure := func() ([]results.Result, error) {
		if c.Mode == pairHotMode {
			return pairHot(c.name(), c.Subject, c.Spec)
		}
		return c.Group.Sample(c.Subject)
	}
	if !c.real {
		return measure()
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
		rows, err = measure()
	})
	return rows, err
}

// TestServer answers the request.
func TestServer(t *testing.T) {
	if *request == "" {
		t.Skip("nothing is requested")
	}
	var cells []run.Cell
	for _, c := range everything() {
		sample := func(context.Context, int) ([]results.Result, error) { return c.sample(t) }
		cells = append(cells, run.Cell{Name: c.name(), Rounds: c.rounds, Limit: time.Minute, Sample: sample})
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
		_, control := k.Control()
		hasPair[k.Comparison()] = hasPair[k.Comparison()] || control
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
	for says, want := range map[bool]string{false: "Stop of an outstanding timer returned false, in pair 49", true: "outcome {"} {
		info := *harness.Schemes[6]
		info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
			s, err := harness.Schemes[6].New(cfg)
			return &unstopped{Scheme: s, says: says}, err
		}
		_, err := pairHot("", run.Subject{Info: &info}, workload.Spec{N: 200, T: 300, Dist: workload.Exp, Ticks: 3000})
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

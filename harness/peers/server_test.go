package peers

import (
	"context"
	"flag"
	"os"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// server makes single samples of the scenarios, for our schemes and for the peers. A program that interleaves them runs this test binary for every sample: only
// a test has bubbles.
var server = &run.Server{}

func init() { server.Define(flag.CommandLine) }

// competitor is a subject, and where it is measured.
type competitor struct {
	Subject
	bubble bool // its clock is real
	ours   bool
}

// lateness is by how much the timers of a peer are late, as TestAudit asserts.
func lateness(p *Peer) schemes.Tick {
	for _, b := range behaviour {
		if b.peer == p {
			return b.late
		}
	}
	return 0
}

func competitors() (all []competitor) {
	for _, name := range []string{"hierarchical-chunked", "hashunsorted-chunked", "hierarchical", "hashunsorted"} {
		info, err := harness.Find(name)
		if err != nil {
			panic(err)
		}
		s := Subject{Subject: run.Subject{Label: name, Info: info}}
		if info.Kind.HasSlots() {
			s.Slots = hashedSlots
		}
		all = append(all, competitor{Subject: s, ours: true})
	}
	twin := all[0] // the difference from the first is noise
	twin.Label += results.Again
	all = append(all, twin)
	for _, p := range Peers {
		s := Subject{Subject: run.Subject{Label: p.Info.Name, Info: &p.Info}, Late: lateness(p)}
		all = append(all, competitor{s, p.Tick > 0, p == ValueHeap})
	}
	return all
}

// hashedSlots is the M of the hashed wheels: above most intervals where T = 10k, and
// far below them where T = 1M.
const hashedSlots = 65_536

// size is one size of a scenario.
type size struct {
	Scenario
	rounds int  // of third parties; ours have oursRounds
	ours   bool // third parties are omitted
}

const oursRounds = 12

var sizes = []size{
	{Scenario{Name: "PairHot", N: 100_000, T: 10_000}, 6, false},
	{Scenario{Name: "PairHot", N: 1_000_000, T: 10_000}, 6, false},
	{Scenario{Name: "PairCold", N: 100_000, T: 10_000}, 6, false},
	{Scenario{Name: "PairCold", N: 1_000_000, T: 10_000}, 6, false},
	{Scenario{Name: "PairCold", N: 10_000_000, T: 10_000}, 3, true}, // until its timers expired, some peers take half an hour
	{Scenario{Name: "Restart", N: 1_000_000, T: 10_000}, 6, false},
	{Scenario{Name: "Hold", N: 1_000, T: 10_000}, 6, false},
	{Scenario{Name: "Hold", N: 100_000, T: 10_000}, 6, false},
	{Scenario{Name: "Hold", N: 1_000_000, T: 10_000}, 6, false},
	{Scenario{Name: "Hold", N: 1_000_000, T: 1_000_000}, 6, false},
	{Scenario{Name: "Hold", N: 10_000_000, T: 10_000}, 3, false},
	{Scenario{Name: "Idle", N: 1_000, T: 1_000_000}, 6, true},
	{Scenario{Name: "Churn", N: 100_000, T: 10_000}, 6, false},
	{Scenario{Name: "Churn", N: 1_000_000, T: 10_000}, 6, false},
	{Scenario{Name: "Sparse", N: 10, T: 100_000_000}, 6, true},
	{Scenario{Name: "Memory", N: 1_000_000, T: 10_000}, 3, false},
	{Scenario{Name: "Memory", N: 10_000_000, T: 10_000}, 3, true},
	{Scenario{Name: "Worst", N: 10_000_000, T: 100_000}, 3, true},
}

// huge is the size for the chunked forms alone: 5 GB.
var huge = size{Scenario{Name: "Worst", N: 100_000_000, T: 100_000}, 3, true}

// measured is a competitor in a scenario.
type measured struct {
	size
	competitor
}

func (m measured) name() string { return m.CellName(m.Subject) }

// sample makes a sample, in a bubble if the clock is real.
func (m measured) sample(t *testing.T, round int) (row results.Result, err error) {
	if !m.bubble {
		return m.Scenario.Sample(m.Subject, round)
	}
	synctest.Test(t, func(*testing.T) { row, err = m.Scenario.Sample(m.Subject, round) })
	return row, err
}

func (m measured) cell(t *testing.T) run.Cell {
	rounds := m.rounds
	if m.competitor.ours && m.Name != "Worst" && m.Name != "Memory" {
		rounds = oursRounds
	}
	return run.Cell{Name: m.name(), Rounds: rounds, Sample: func(_ context.Context, round int) ([]results.Result, error) {
		row, err := m.sample(t, round)
		return []results.Result{row}, err
	}}
}

func everything() (all []measured) {
	for _, s := range sizes {
		for _, c := range append(competitors(), lowerBounds(s.Name)...) {
			if c.ours || !s.ours {
				all = append(all, measured{s, c})
			}
		}
	}
	for _, c := range competitors()[:2] {
		all = append(all, measured{huge, c})
	}
	return all
}

// TestServer answers the request that its flags make.
func TestServer(t *testing.T) {
	server.Cells = func() (cells []run.Cell) {
		for _, m := range everything() {
			cells = append(cells, m.cell(t))
		}
		return cells
	}
	server.Batch = run.Batch{Names: jvmNames(), Missing: withoutJVM(), Run: func(context.Context) (string, error) { return timers(t), nil }}
	if server.Requested() {
		require.NoError(t, server.Serve(t.Context(), os.Stdout))
	}
}

// Every table but that of the largest size has a pair of equal subjects, whose difference is noise.
func TestEveryTableHasAPair(t *testing.T) {
	pairs := map[results.Key]bool{}
	for _, m := range everything() {
		k := results.ParseKey(m.name())
		_, twin := k.Twin()
		pairs[k.Comparison()] = pairs[k.Comparison()] || twin
	}
	for k, has := range pairs {
		require.True(t, has || k.N == "100M", "%v", k)
	}
}

// Every competitor comes to the expected outcome of every scenario, here a small one.
func TestOutcomes(t *testing.T) {
	if server.Requested() {
		t.Skip("a sample is requested")
	}
	for _, m := range everything() {
		m.N, m.T, m.Ops = min(m.N, 300), min(m.T, 1000), 2000
		if m.Name == "Sparse" || m.Name == "Memory" || m.Name == "Worst" {
			continue // one takes its time, the others depend on the memory of the process
		}
		t.Run(m.name(), func(t *testing.T) {
			_, err := m.sample(t, 1)
			require.NoError(t, err)
		})
	}
}

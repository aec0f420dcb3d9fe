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
	"timerlab/harness/results/units"
	"timerlab/harness/run"
)

// request is for a sample of a scenario, by one of our schemes or a peer. A program that
// interleaves them runs this test binary for every sample: only a test has bubbles.
var request = flag.String("sample", "", "make a sample")

// hashedSlots is the M of the hashed wheels: above most intervals where T = 10k, and
// far below them where T = 1M.
const hashedSlots = 65_536

// subjects are ours, the first of them under two names, and the peers.
func subjects() (all []measured) {
	for _, label := range []string{"hierarchical-chunked", "hashunsorted-chunked", "hierarchical", "hashunsorted"} {
		info, err := harness.Find(label)
		if err != nil {
			panic(err)
		}
		s := measured{Subject: run.Subject{Label: label, Info: info}, ours: true}
		if info.Kind.HasSlots() {
			s.Slots = hashedSlots
		}
		all = append(all, s)
	}
	control := all[0] // the difference from the first is noise
	control.Label += units.Again
	all = append(all, control)
	for _, p := range Peers {
		all = append(all, measured{Subject: run.Subject{Label: p.Info.Name, Info: &p.Info},
			real: p.Tick > 0, ours: p == ValueHeap})
	}
	return all
}

// sizes are the sizes of the scenarios.
var sizes = []struct {
	Scenario
	rounds int  // of third parties; ours have oursRounds
	ours   bool // third parties are omitted
}{
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
	{Scenario{Name: "Churn", N: 100_000, T: 10_000}, 6, false},
	{Scenario{Name: "Churn", N: 1_000_000, T: 10_000}, 6, false},
}

const oursRounds = 12

// measured is a subject in a scenario.
type measured struct {
	Scenario
	run.Subject
	rounds int
	real   bool // its clock is real, so that it needs a bubble
	ours   bool // not a third party's
}

// sample makes a sample, in a bubble if the clock is real.
func (m measured) sample(t *testing.T, round int) (row results.Result, err error) {
	if !m.real {
		return m.Sample(m.Subject, round)
	}
	synctest.Test(t, func(*testing.T) { row, err = m.Sample(m.Subject, round) })
	return row, err
}

func everything() (all []measured) {
	for _, s := range sizes {
		for _, m := range subjects() {
			m.Scenario, m.rounds = s.Scenario, s.rounds
			if m.ours {
				m.rounds = oursRounds
			}
			if m.ours || !s.ours {
				all = append(all, m)
			}
		}
	}
	return all
}

// TestServer answers the request.
func TestServer(t *testing.T) {
	if *request == "" {
		t.Skip("nothing is requested")
	}
	var cells []run.Cell
	for _, m := range everything() {
		sample := func(_ context.Context, round int) ([]results.Result, error) {
			row, err := m.sample(t, round)
			return []results.Result{row}, err
		}
		cells = append(cells, run.Cell{Name: m.CellName(m.Subject), Rounds: m.rounds, Sample: sample})
	}
	require.NoError(t, run.Serve(t.Context(), cells, *request, os.Stdout))
}

// Every table has a pair of equal subjects, whose difference is noise.
func TestEveryTableHasAPair(t *testing.T) {
	pairs := map[results.Key]bool{}
	for _, m := range everything() {
		k := results.ParseKey(m.CellName(m.Subject))
		_, twin := k.Twin()
		pairs[k.Comparison()] = pairs[k.Comparison()] || twin
	}
	for k, has := range pairs {
		require.True(t, has, "%v", k)
	}
}

// Every subject comes to the expected outcome of every scenario, here a small one.
func TestOutcomes(t *testing.T) {
	if *request != "" {
		t.Skip("a sample is requested")
	}
	for _, m := range everything() {
		m.N, m.T, m.Ops = min(m.N, 300), min(m.T, 1000), 2000
		t.Run(m.CellName(m.Subject), func(t *testing.T) {
			_, err := m.sample(t, 1)
			require.NoError(t, err)
		})
	}
}

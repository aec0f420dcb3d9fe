package peers

import (
	"flag"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// The works of package run, ours and theirs. A program that interleaves them, as
// bench peers does, runs this test in a process of its own for every sample: a
// bubble is only to be had in a test.
var (
	listCells = flag.Bool("cells", false, "print the cells of the contest and how many rounds each needs")
	cellFlag  = flag.String("cell", "", "run this cell once and print it in the Go benchmark format")
	cellRound = flag.Int("round", 0, "tells the samples of a cell apart")
	jvmCells  = flag.Bool("jvm", false, "run the program for the JVM and print what it prints, or why it cannot")
)

// entrant is who does the works, on which clock.
type entrant struct {
	run.Subject
	clock Clock
	ours  bool
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

func entrants() (es []entrant) {
	for _, name := range []string{"hierarchical-chunked", "hashunsorted-chunked", "hierarchical", "hashunsorted"} {
		info, err := harness.Find(name)
		if err != nil {
			panic(err)
		}
		e := run.Subject{Label: name, Info: info}
		if info.Kind.HasSlots() {
			e.Slots = hashedSlots
		}
		es = append(es, entrant{Subject: e, ours: true})
	}
	for _, p := range Peers {
		es = append(es, entrant{Subject: run.Subject{Label: p.Info.Name, Info: &p.Info, Late: lateness(p)}, clock: p.Clock, ours: p == ValueHeap})
	}
	return es
}

// hashedSlots is the M of the hashed wheels: above most intervals where T = 10k, and
// far below them where T = 1M.
const hashedSlots = 65_536

// size is one size of a work.
type size struct {
	work   string
	n      int
	T      schemes.Tick
	rounds int  // of third parties; ours have oursRounds
	ours   bool // third parties are left out
}

const oursRounds = 12

var sizes = []size{
	{"PairHot", 100_000, 10_000, 6, false},
	{"PairHot", 1_000_000, 10_000, 6, false},
	{"PairCold", 100_000, 10_000, 6, false},
	{"PairCold", 1_000_000, 10_000, 6, false},
	{"PairCold", 10_000_000, 10_000, 3, true}, // to let the timers expire takes some of the others half an hour
	{"Restart", 1_000_000, 10_000, 6, false},
	{"Hold", 1_000, 10_000, 6, false},
	{"Hold", 100_000, 10_000, 6, false},
	{"Hold", 1_000_000, 10_000, 6, false},
	{"Hold", 1_000_000, 1_000_000, 6, false},
	{"Hold", 10_000_000, 10_000, 3, false},
	{"Idle", 1_000, 1_000_000, 6, true},
	{"Churn", 100_000, 10_000, 6, false},
	{"Churn", 1_000_000, 10_000, 6, false},
	{"Sparse", 10, 100_000_000, 6, true},
	{"Memory", 1_000_000, 10_000, 3, false},
	{"Memory", 10_000_000, 10_000, 3, true},
	{"Worst", 10_000_000, 100_000, 3, true},
}

// huge is the size that only the chunked forms are asked for: 5 GB.
var huge = size{"Worst", 100_000_000, 100_000, 3, true}

// cell is one sample of the contest.
type cell struct {
	run.Scenario
	entrant
	rounds int
}

func (c cell) name() string { return c.CellName(c.Subject) }

func cells() (cs []cell) {
	for _, s := range sizes {
		for _, e := range append(entrants(), floors(s.work)...) {
			if s.ours && !e.ours {
				continue
			}
			c := cell{run.Scenario{Name: s.work, N: s.n, T: s.T}, e, s.rounds}
			if e.ours {
				c.rounds = oursRounds
			}
			if s.work == "Worst" || s.work == "Memory" {
				c.rounds = s.rounds
			}
			cs = append(cs, c)
		}
	}
	for _, e := range entrants()[:2] {
		cs = append(cs, cell{run.Scenario{Name: huge.work, N: huge.n, T: huge.T}, e, huge.rounds})
	}
	return cs
}

// floors are what a work cannot undercut.
func floors(work string) []entrant {
	switch work {
	case "Hold":
		return []entrant{{Subject: run.Subject{Label: run.Floor.Name, Info: &run.Floor}, ours: true}}
	case "PairHot":
		return []entrant{{Subject: run.Subject{Label: run.BareRing.Name, Info: &run.BareRing}, ours: true}}
	case "Idle":
		return []entrant{{Subject: run.Subject{Label: run.Nothing.Name, Info: &run.Nothing}, ours: true}}
	}
	return nil
}

// run does a cell, in a bubble if its clock is real.
func (c cell) run(t *testing.T, round int) (result results.Result, err error) {
	once := func(*testing.T) { result, err = c.Sample(c.Subject, round) }
	if c.clock == Virtual {
		once(t)
	} else {
		synctest.Test(t, once)
	}
	return result, err
}

// TestContest does what its flags say, or all cells, small, once: every entrant
// comes to the expected outcome in every work.
func TestContest(t *testing.T) {
	switch {
	case *listCells:
		for _, c := range cells() {
			fmt.Println("cell", c.rounds, c.name())
		}
		for _, name := range jvmNames() {
			fmt.Println("jvm", name)
		}
	case *cellFlag != "":
		runCell(t, *cellFlag)
	case *jvmCells:
		runJVM(t)
	default:
		for _, c := range cells() {
			c.N, c.T, c.Ops = min(c.N, 300), min(c.T, 1000), 2000
			if c.Name == "Sparse" || c.Name == "Memory" || c.Name == "Worst" {
				continue // one takes its time, the others ask the system for its memory
			}
			t.Run(c.name(), func(t *testing.T) {
				_, err := c.run(t, 1)
				require.NoError(t, err)
			})
		}
	}
}

func runCell(t *testing.T, name string) {
	for _, c := range cells() {
		if c.name() != name {
			continue
		}
		result, err := c.run(t, *cellRound)
		if err != nil {
			fmt.Printf("failed %v\n", err)
			return
		}
		fmt.Printf("Benchmark%s %d", result.Name, result.Iters)
		for _, v := range result.Values {
			fmt.Printf(" %v %s", v.Value, v.Unit)
		}
		fmt.Println()
		return
	}
	t.Errorf("cell %q, allowed: what -cells prints", name)
}

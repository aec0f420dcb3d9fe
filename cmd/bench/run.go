package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness"
	"timerlab/harness/adapter"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
)

// grid is what the run verb measures: every combination of its lists.
type grid struct {
	timers, slots, levels []int
	means                 []schemes.Tick
	dists                 []workload.Dist
	stops                 []workload.Stops
	arrivals              workload.Arrivals
	schemes               []*schemes.Info
	rounds                int
	seed                  uint64
	limit                 time.Duration
	adapters              []*adapter.Adapter // measured in lifetimes
}

func newRun() *cobra.Command {
	r := newRequest("run")
	cmd := verb("run", noArgs, func(cmd *cobra.Command, _ []string) error {
		raw, err := r.measure(cmd)
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "raw results  %s\nnext: bench report %[1]s\n", raw)
		return nil
	})
	r.addTo(cmd)
	cmd.MarkFlagsMutuallyExclusive("resume", "out") // a file is continued where it is, and run writes no page
	for _, name := range []string{"resume", "rounds", "layouts", "adapter"} {
		cmd.MarkFlagsMutuallyExclusive(instructionsFlag, name) // one count is enough, and takes a second
	}
	return cmd
}

func addGrid(r *request) {
	g, f := &grid{schemes: harness.Schemes}, r.flags
	r.plan = g.plan
	addFlag(f, &g.timers, "timers,n", "1k,100k", "`counts` of timers outstanding", listOf(whole[int](1, workload.MaxOps)))
	addFlag(f, &g.slots, "slots,M", "4096", "`counts` of slots in all wheels together",
		listOf(whole[int](1, schemes.MaxSlots)))
	addFlag(f, &g.levels, "levels,m", "4", "`counts` of levels of scheme 7",
		listOf(whole[int](1, 64))) // 64 levels of 2 slots span the whole clock
	addFlag(f, &g.means, "mean,T", "10k", "mean `ticks` that a timer stays",
		listOf(whole[schemes.Tick](1, uint64(workload.MaxMean))))
	addFlag(f, &g.dists, "workload", "exp", "`names` of distributions of intervals: "+menu(workload.Dists, ","),
		listOf(workload.Parse[workload.Dist]))
	addFlag(f, &g.stops, "stop", "0", "`shares` of timers stopped @ part of their interval, as in 0.9@0.05, or 0",
		listOf(workload.Parse[workload.Stops]))
	addFlag(f, &g.arrivals, "arrivals", "hold", "`process` of starts: hold (a timer that ends starts again) or poisson",
		workload.Parse[workload.Arrivals])
	schemesFlag(f, &g.schemes, " (default all)")
	roundsFlag(f, &g.rounds, "10")
	seedFlag(f, &g.seed)
	addFlag(f, &g.limit, "limit", "2s", "skip a cell if one run is predicted to take longer than this `time`", duration)
	adaptersFlag(r, &g.adapters)
	layoutsFlag(r)
	addInstructions(r, g)
}

// lifetimesOfRun is how many timers end in a run, about. Tests make it less.
var lifetimesOfRun = 100_000

// plan checks everything before anything is measured.
func (g *grid) plan() (run.Plan, error) {
	p := run.Plan{
		Rounds: cmp.Or(g.rounds, 10), Passes: run.Passes, Seed: g.seed, Limits: run.Limits{Run: g.limit, Memory: 8 << 30},
	}
	var bySlots [][]run.Subject
	for _, slots := range g.slots {
		subjects, err := g.subjects(slots)
		if err != nil {
			return p, err
		}
		bySlots = append(bySlots, subjects)
	}
	// One length for all M, as cells whose names have no M share one stream.
	all := slices.Concat(bySlots...)
	for _, spec := range g.specs() {
		if err := spec.Check(); err != nil { // before its length is computed
			return p, usage(err)
		}
		batched, lasting := run.Batched(spec, lifetimesOfRun, all), run.Lasting(spec, lifetimesOfRun, all)
		if err := cmp.Or(batched.Check(), lasting.Check()); err != nil {
			return p, usage(err)
		}
		for _, subjects := range bySlots {
			inLifetimes := slices.Clone(subjects)
			for _, a := range g.adapters { // compared with the schemes of every M
				inLifetimes = append(inLifetimes, run.Subject{Label: a.Name, Info: a.Info(), Slots: subjects[0].Slots})
			}
			p.Groups = append(p.Groups,
				run.Group{Mode: run.Operations, Spec: batched, Subjects: subjects},
				run.Group{Mode: run.Lifetimes, Spec: lasting, Subjects: inLifetimes},
				run.Group{Mode: run.Latency, Spec: lasting, Subjects: subjects})
		}
	}
	return p, nil
}

func (g *grid) specs() []workload.Spec {
	var all []workload.Spec
	for _, n := range g.timers {
		for _, T := range g.means {
			for _, d := range g.dists {
				for _, stop := range g.stops {
					all = append(all, workload.Spec{
						N: n, T: T, Dist: d, Stop: stop.Share, StopAt: stop.At,
						Arrivals: g.arrivals, Seed: g.seed,
					})
				}
			}
		}
	}
	return all
}

// subjects returns the controls and the schemes at M slots, those with levels at every m.
func (g *grid) subjects(slots int) ([]run.Subject, error) {
	control := &hashunsorted.Info
	if !slices.Contains(g.schemes, control) {
		control = g.schemes[0]
	}
	all := run.Controls(run.NewSubject(control, slots, g.levels[0]))
	for _, info := range g.schemes {
		for i, m := range g.levels {
			if !info.Kind.HasLevels() && i > 0 {
				break
			}
			s := run.NewSubject(info, slots, m)
			if info.Kind.HasLevels() && s.TotalSlots() > slots {
				return nil, usagef("-m %d with -M %d: invalid levels (each needs a slot or more; %s needs %d in all)",
					m, slots, info.Name, s.TotalSlots())
			}
			all = append(all, s)
		}
	}
	return all, nil
}

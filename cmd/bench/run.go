package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

// shape is a distribution whose mean is a flag of its own.
type shape struct{ workload.Dist }

func (s *shape) UnmarshalText(text []byte) (err error) {
	s.Dist, err = workload.Parse[workload.Dist](string(text))
	return err
}

const maxLevels = 64 // of 2 slots span the whole clock

// grid is what the run verb measures: every combination of its lists.
type grid struct {
	timers, slots, levels, means numbers
	shapes                       list[shape, *shape]
	stops                        list[workload.Stops, *workload.Stops]
	schemes                      someSchemes
	arrivals                     workload.Arrivals
	rounds, seed                 number
	limit                        time.Duration
	rec                          recorder
}

func newRun() *cobra.Command {
	g := &grid{rec: recorder{parts: schemesCode, sharded: true}}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Measure a grid of your own",
		Long: `Measure every combination of the lists given. Lists are separated by commas and
take SI suffixes, as in -n 1k,10k,1M. -M and -m together mean m levels for scheme 7
that have M slots in all: 4096 and 3 are 2048x1024x1024, and M/m each, rounded down,
if M is not a power of two. Results go to a new raw file in the folder --out.
--resume continues the file of a run that was interrupted, or adds rounds to it.
--shard measures a part on each of several machines of one kind; cat joins their files.`,
		Example: `  bench run -n 1k,100k,1M -M 65536 -m 3 -T 10k --schemes hashunsorted,hierarchical
  bench run -n 100k --workload pareto,uniform --stop 0,0.9@0.05 --rounds 20
  bench run --resume results/local/run-20261122T101500Z.txt --rounds 20
  bench run -n 1k,100k,1M --shard 2/4`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return g.run(cmd) },
	}
	g.flags(cmd)
	return cmd
}

func (g *grid) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.TextVarP(&g.timers, "timers", "n", upTo(workload.MaxOps, 1000, 100_000), "`counts` of timers outstanding")
	f.TextVarP(&g.slots, "slots", "M", upTo(schemes.MaxSlots, 4096), "`counts` of slots in all wheels together")
	f.TextVarP(&g.levels, "levels", "m", upTo(maxLevels, 4), "`counts` of levels of scheme 7")
	f.TextVarP(&g.means, "mean", "T", upTo(uint64(workload.MaxMean), 10_000), "mean `ticks` that a timer stays")
	f.TextVar(&g.shapes, "workload", list[shape, *shape]{all: []shape{{workload.Exp}}},
		"`names` of distributions of intervals: "+menu(workload.Dists, ","))
	f.TextVar(&g.stops, "stop", list[workload.Stops, *workload.Stops]{all: []workload.Stops{{}}},
		"`shares` of timers stopped @ part of their interval, as in 0.9@0.05, or 0")
	f.TextVar(&g.arrivals, "arrivals", workload.Hold, "`when` timers start: hold (every end starts the next) or poisson")
	schemesFlag(cmd, &g.schemes, " (default all)")
	roundsFlag(f, &g.rounds, "10")
	seedFlag(f, &g.seed)
	timeFlag(f, &g.limit, "limit", 2*time.Second, "skip a cell if one run is predicted to take longer than this `time`")
	g.rec.flags(f)
	cmd.MarkFlagsMutuallyExclusive("resume", "out") // a file is continued where it is, and run writes no page
	g.rec.roundFlags(f)
}

func (g *grid) run(cmd *cobra.Command) error {
	if err := g.rec.begin(cmd); err != nil {
		return err
	}
	infos := infosOf(g.schemes)
	plan, err := g.plan(infos)
	if err != nil {
		return err
	}
	if g.rec.round < 0 {
		g.noteDivision(cmd, infos)
	}
	raw, err := g.rec.measure(cmd, plan)
	if err != nil || g.rec.round >= 0 {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "raw results  %s\nnext: bench report %[1]s\n  or: %s\n", raw, benchstat(infos, raw))
	return nil
}

// benchstat returns the command that compares the schemes measured with the first of
// them. The noise probe and the levels, which only scheme 7 has, would be columns and
// rows of their own.
func benchstat(infos []*schemes.Info, raw string) string {
	var names []string
	for _, info := range infos {
		names = append(names, info.Name)
	}
	return fmt.Sprintf("go tool benchstat -filter '.unit:sec/op -.name:Spin' -ignore /m,layout -col '/scheme@(%s)' %s",
		strings.Join(names, " "), raw)
}

// noteDivision says where schemes with levels have fewer slots than the others.
func (g *grid) noteDivision(cmd *cobra.Command, infos []*schemes.Info) {
	if !slices.ContainsFunc(infos, func(info *schemes.Info) bool { return info.Kind.HasLevels() }) {
		return
	}
	for _, slots := range g.slots.all {
		for _, m := range g.levels.all {
			for _, info := range []*schemes.Info{&hierarchical.Info, &hierarchical.Ahead} {
				s := run.NewSubject(info, int(slots.n), int(m.n))
				if sum := s.TotalSlots(); sum < int(slots.n) && (!info.Ahead || slices.Contains(infos, info)) {
					fmt.Fprintf(cmd.ErrOrStderr(), "note: M = %d is no power of two: %s with m = %d gets %d slots, %v\n",
						slots.n, info.Name, m.n, sum, workload.Levels(s.Levels))
				}
			}
		}
	}
}

// lifetimesOfRun is how many timers end in a run, about. Tests make it less.
var lifetimesOfRun = 100_000

// plan checks everything before anything is measured.
func (g *grid) plan(infos []*schemes.Info) (run.Plan, error) {
	p := run.Plan{
		Rounds: int(cmp.Or(g.rounds.n, 10)), Seed: g.seed.n, Limits: run.Limits{Run: g.limit, Memory: 8 * gigabyte},
	}
	var bySlots [][]run.Subject
	for _, slots := range g.slots.all {
		subjects, err := g.subjects(infos, int(slots.n))
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
			p.Groups = append(p.Groups,
				run.Group{Mode: run.Operations, Spec: batched, Subjects: subjects},
				run.Group{Mode: run.Lifetimes, Spec: lasting, Subjects: subjects},
				run.Group{Mode: run.Latency, Spec: lasting, Subjects: subjects})
		}
	}
	return p, nil
}

func (g *grid) specs() []workload.Spec {
	var all []workload.Spec
	for _, n := range g.timers.all {
		for _, T := range g.means.all {
			for _, d := range g.shapes.all {
				for _, stop := range g.stops.all {
					all = append(all, workload.Spec{
						N: int(n.n), T: schemes.Tick(T.n), Dist: d.Dist, Stop: stop.Share, StopAt: stop.At,
						Arrivals: g.arrivals, Seed: g.seed.n,
					})
				}
			}
		}
	}
	return all
}

// subjects returns the controls and the schemes at M slots, those with levels at every m.
func (g *grid) subjects(infos []*schemes.Info, slots int) ([]run.Subject, error) {
	control := &hashunsorted.Info
	if !slices.Contains(infos, control) {
		control = infos[0]
	}
	all := run.Controls(run.NewSubject(control, slots, int(g.levels.all[0].n)))
	for _, info := range infos {
		for i, m := range g.levels.all {
			if !info.Kind.HasLevels() && i > 0 {
				break
			}
			s := run.NewSubject(info, slots, int(m.n))
			if info.Kind.HasLevels() && s.TotalSlots() > slots {
				return nil, usagef("-m %d with -M %d: invalid levels (each needs a slot or more; %s needs %d in all)",
					m.n, slots, info.Name, s.TotalSlots())
			}
			all = append(all, s)
		}
	}
	return all, nil
}

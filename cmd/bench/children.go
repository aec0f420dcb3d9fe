package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/perf/benchfmt"

	"timerlab/harness/gate"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/run"
)

// childrenJob measures cells, every sample in a process of its own, and reports raw files.
type childrenJob struct {
	kind     report.Kind
	building string // what is built first
	build    func(ctx context.Context) (*run.Children, error)
	rec      recorder
	filter   string
	rounds   uint64
	format   report.Format
}

// command returns the verb. example is a filter.
func (j *childrenJob) command(short, long, example, rounds string) *cobra.Command {
	verb := kinds[j.kind].verb
	cmd := &cobra.Command{
		Use:   verb + " [RAW...]",
		Short: short,
		Long:  long,
		Example: fmt.Sprintf("  bench %[1]s --filter '%[2]s' --rounds 2\n  bench %[1]s --resume "+
			"results/local/%[1]s-*.txt\n"+
			"  bench %[1]s results/local/%[1]s-*.txt --format csv", verb, example),
		RunE: func(cmd *cobra.Command, raws []string) error {
			if len(raws) == 0 {
				raw, err := j.measure(cmd)
				if err != nil {
					return err
				}
				raws = []string{raw}
			}
			return j.report(cmd, raws)
		},
	}
	f := cmd.Flags()
	j.rec.flags(f)
	f.StringVar(&j.filter, "filter", "*", "only the cells that this filter of benchstat matches, as in '"+example+"'")
	formatFlag(f, &j.format)
	roundsFlag(f, &j.rounds, rounds)
	return cmd
}

// measure makes the samples that are missing and returns the raw file. It finds what is
// wrong before time is spent.
func (j *childrenJob) measure(cmd *cobra.Command) (raw string, err error) {
	if err := j.rec.begin(cmd); err != nil {
		return "", err
	}
	matches, err := j.matcher()
	if err == nil {
		err = j.rec.makeFolder()
	}
	if err != nil {
		return "", err
	}
	bar := newProgress(cmd)
	bar.run(0, 1, "building "+j.building)
	c, err := j.build(cmd.Context())
	bar.finish()
	if err != nil {
		return "", err
	}
	defer c.Close()
	if !c.Keep(matches, int(j.rounds)) {
		return "", usagef("no cell matches --filter %q", j.filter)
	}
	if keep := j.rec.shard.Split(c.Names(), 0); !c.Keep(keep, 0) {
		return "", j.rec.emptyShard()
	}
	return j.rec.record(cmd, func(sink *results.Raw, progress run.Progress) error {
		return c.Run(cmd.Context(), sink, j.rec.done, progress)
	})
}

// matcher returns which cells are measured, by name.
func (j *childrenJob) matcher() (matches func(name string) bool, err error) {
	filter, err := gate.NewFilter(j.filter)
	if err != nil {
		return nil, queryUsage(err)
	}
	return func(name string) bool {
		m, err := filter.Match(&benchfmt.Result{Name: benchfmt.Name(name)})
		return err == nil && m.All()
	}, nil
}

// report writes the page of raw files and prints it.
func (j *childrenJob) report(cmd *cobra.Command, raws []string) error {
	t, err := loadOf(j.kind, raws)
	if err != nil {
		return err
	}
	page := pageOf(t, pageCommand(cmd.Name(), raws, j.rec.out))
	paths, err := page.Save(filepath.Join(j.rec.out, cmd.Name()+".md"))
	if err != nil {
		return err
	}
	return errors.Join(printPage(cmd, page, j.format, raws, paths), wrongCells(t))
}

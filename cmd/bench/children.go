package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/run"
)

// childrenJob measures cells each in a process of its own, or goes on with that, and
// reports raw files.
type childrenJob struct {
	verb, building string // what is built first
	rec            recorder
	filter, match  string
	rounds         uint64
	format         report.Format

	build func(ctx context.Context) (*run.Children, error)
	kind  report.Kind
	page  func(t *results.Table, made string) *report.Page
}

// command returns the verb. example is a filter.
func (j *childrenJob) command(short, long, example, rounds string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   j.verb + " [RAW...]",
		Short: short,
		Long:  long,
		Example: fmt.Sprintf("  bench %[1]s --filter '%[2]s' --rounds 2\n  bench %[1]s --resume "+
			"results/local/%[1]s-*.txt\n"+
			"  bench %[1]s results/local/%[1]s-*.txt --format csv", j.verb, example),
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
	f.StringVar(&j.match, "match", "", "only the cells whose names match this regular expression")
	_ = f.MarkHidden("match") // the older name, which raw files record
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
	defer bar.finish()
	bar.run(0, 1, "building "+j.building)
	c, err := j.build(cmd.Context())
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
	raw, sink, err := j.rec.open(cmd)
	if err != nil {
		return "", err
	}
	err = c.Run(cmd.Context(), sink, j.rec.done, bar.run)
	bar.finish()
	return raw, j.rec.finish(cmd, raw, sink, err)
}

// matcher returns which cells are measured, by name.
func (j *childrenJob) matcher() (matches func(name string) bool, err error) {
	pattern, err := regexp.Compile(j.match)
	if err != nil {
		return nil, usage(fmt.Errorf("--match: %w", err))
	}
	filter, err := benchproc.NewFilter(j.filter)
	if err != nil {
		what, _, _ := strings.Cut(err.Error(), "\n") // below it are the filter and a caret
		return nil, usagef("--filter %q: %s", j.filter, what)
	}
	return func(name string) bool {
		m, err := filter.Match(&benchfmt.Result{Name: benchfmt.Name(name)})
		return err == nil && m.All() && pattern.MatchString(name)
	}, nil
}

// report writes the page of raw files and prints it.
func (j *childrenJob) report(cmd *cobra.Command, raws []string) error {
	t, err := loadOf(j.kind, raws)
	if err != nil {
		return err
	}
	page := j.page(t, made(j.verb, raws, j.rec.out))
	if page.Warnings, err = warnings(t); err != nil {
		return err
	}
	paths, err := page.Save(filepath.Join(j.rec.out, j.verb+".md"))
	if err != nil {
		return err
	}
	return errors.Join(printPage(cmd, page, j.format, raws, paths), wrongCells(t))
}

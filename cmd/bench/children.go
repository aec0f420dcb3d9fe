package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/run"
	systemsbench "timerlab/systems/bench"
)

// childrenJob measures cells, every sample in a process of its own, and reports raw files.
type childrenJob struct {
	kind     report.Kind
	page     func(t *results.Table, made string) *report.Page
	building string // what is built first
	build    func(ctx context.Context) (*run.Children, error)
	rec      recorder
	filter   *benchproc.Filter
	rounds   int
	format   report.Format
}

// command returns the verb. example is a filter, and rounds is what is measured by default.
func (j *childrenJob) command(example, rounds string) *cobra.Command {
	cmd := verb(verbOf[j.kind], nil, func(cmd *cobra.Command, raws []string) error {
		if len(raws) == 0 {
			raw, err := j.measure(cmd)
			if err != nil {
				return err
			}
			raws = []string{raw}
		}
		return j.report(cmd, raws)
	})
	f := cmd.Flags()
	j.rec.flags(f)
	addFlag(f, &j.filter, "filter", "*", "only what this `filter` of benchstat matches, as in '"+example+"'", parseFilter)
	outputFlag(f, &j.format)
	roundsFlag(f, &j.rounds, rounds)
	return cmd
}

func parseFilter(text string) (*benchproc.Filter, error) {
	f, err := benchproc.NewFilter(text)
	if err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n") // the lines below point into the text
		return nil, fmt.Errorf("filter %q: %s", text, why)
	}
	return f, nil
}

// measure makes the samples that are missing and returns the raw file. It finds what is
// wrong before time is spent.
func (j *childrenJob) measure(cmd *cobra.Command) (raw string, err error) {
	if err := j.rec.begin(cmd); err != nil {
		return "", err
	}
	bar := newProgress(cmd)
	bar.run(0, 1, "building "+j.building)
	c, err := j.build(cmd.Context())
	bar.finish()
	if err != nil {
		return "", err
	}
	matches := func(name string) bool {
		m, err := j.filter.Match(&benchfmt.Result{Name: benchfmt.Name(name)})
		return err == nil && m.All()
	}
	rounds := c.Keep(matches, j.rounds)
	if rounds == 0 {
		return "", usagef("no cell matches --filter %q", cmd.Flags().Lookup("filter").Value)
	}
	raw, err = j.rec.record(cmd, func(sink *results.Raw, progress run.Progress) error {
		done := func(name string, round int) bool { return j.rec.earlier != nil && j.rec.earlier.Has(name, round) }
		if err := sink.Rounds(rounds); err != nil {
			return err
		}
		return c.Run(cmd.Context(), sink, done, progress)
	})
	if err == nil {
		err = results.Finish(raw)
	}
	return raw, err
}

func (j *childrenJob) report(cmd *cobra.Command, raws []string) error {
	t, err := loadOf(j.kind, raws)
	if err != nil {
		return err
	}
	page := j.page(t, pageCommand(cmd.Name(), raws, j.rec.out))
	page.Warnings = warnings(t)
	path := filepath.Join(j.rec.out, cmd.Name()+".md")
	return errors.Join(savePage(cmd, page, path, j.format, raws), wrongCells(t))
}

func newPeers() *cobra.Command {
	j := &childrenJob{
		kind: report.Peers, page: report.PeersPage, building: "the peers", build: run.BuildPeers,
		rec: recorder{parts: peersCode},
	}
	return j.command(".name:Hold /n:1M", "12 of ours, 6 of others, 3 of others at n = 10M")
}

func newSystems() *cobra.Command {
	j := &childrenJob{
		kind: report.Services, page: systemsbench.Page, building: "the list of cells",
		build: func(ctx context.Context) (*run.Children, error) { // this program makes each sample
			self, err := os.Executable()
			if err != nil {
				return nil, err
			}
			return run.NewChildren(ctx, "", self, "systems")
		},
		rec: recorder{parts: systemsCode},
	}
	cmd := j.command(".name:StartStop /n:1M", strconv.Itoa(systemsbench.Rounds))
	f := cmd.Flags()
	request := f.String(run.RequestFlag, "", "make a sample")
	_ = f.MarkHidden(run.RequestFlag)
	measureAll := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *request != "" {
			return run.Serve(cmd.Context(), systemsbench.Cells(), *request, cmd.OutOrStdout())
		}
		return measureAll(cmd, args)
	}
	return cmd
}

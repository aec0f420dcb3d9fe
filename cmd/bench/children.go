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
	filter   *benchproc.Filter
	rounds   int
	example  string // a filter
	usually  string // what is measured by default
}

// newChildren returns the verb of a childrenJob.
func newChildren(name string) *cobra.Command {
	var format report.Format
	r := newRequest(name)
	cmd := verb(name, nil, func(cmd *cobra.Command, raws []string) error {
		if len(raws) == 0 {
			raw, err := r.measure(cmd)
			if err != nil {
				return err
			}
			raws = []string{raw}
		}
		return r.job.(*childrenJob).report(cmd, raws, r.out, format)
	})
	r.addTo(cmd)
	outputFlag(cmd.Flags(), &format)
	return cmd
}

func (j *childrenJob) flags(r *request) {
	addFlag(r.flags, &j.filter, "filter", "*", "only what this `filter` of benchstat matches, as in '"+j.example+"'", parseFilter)
	roundsFlag(r.flags, &j.rounds, j.usually)
}

func parseFilter(text string) (*benchproc.Filter, error) {
	f, err := benchproc.NewFilter(text)
	if err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n") // the lines below point into the text
		return nil, fmt.Errorf("filter %q: %s", text, why)
	}
	return f, nil
}

func (j *childrenJob) prepare(cmd *cobra.Command, r *request) (measure func(*results.Raw) error, err error) {
	bar := newProgress(cmd)
	bar.run(0, 1, "building "+j.building)
	c, err := j.build(cmd.Context())
	bar.finish()
	if err != nil {
		return nil, err
	}
	matches := func(name string) bool {
		m, err := j.filter.Match(&benchfmt.Result{Name: benchfmt.Name(name)})
		return err == nil && m.All()
	}
	rounds := c.Keep(matches, j.rounds)
	if rounds == 0 {
		return nil, usagef("no cell matches --filter %q", r.flags.Lookup("filter").Value)
	}
	done := func(name string, round int) bool {
		return r.earlier != nil && (r.earlier.Has(name, round) || r.earlier.Skipped(name))
	}
	return func(sink *results.Raw) error {
		bar := newProgress(cmd)
		defer bar.finish()
		if err := sink.Rounds(rounds); err != nil {
			return err
		}
		if err := c.Run(cmd.Context(), sink, done, bar.run); err != nil {
			return err
		}
		return sink.Finish()
	}, nil
}

func (j *childrenJob) report(cmd *cobra.Command, raws []string, out string, format report.Format) error {
	t, err := loadOf(j.kind, raws)
	if err != nil {
		return err
	}
	if err := makeFolder(out, pagesOf[cmd.Name()]...); err != nil {
		return err
	}
	page := j.page(t, pageCommand(cmd.Name(), raws, out))
	page.Warnings = warnings(t)
	path := filepath.Join(out, cmd.Name()+".md")
	return errors.Join(savePage(cmd, page, path, format, raws), wrongCells(t))
}

func peersJob() *childrenJob {
	return &childrenJob{
		kind: report.Peers, page: report.PeersPage, building: "the peers", build: run.BuildPeers,
		example: ".name:Lifetime /n:1M", usually: "12 of ours, 6 of others",
	}
}

func systemsJob() *childrenJob {
	return &childrenJob{
		kind: report.Services, page: systemsbench.Page, building: "the list of cells",
		build: func(ctx context.Context) (*run.Children, error) { // this program makes each sample
			self, err := os.Executable()
			if err != nil {
				return nil, err
			}
			return run.NewChildren(ctx, "", self, "sample")
		},
		example: ".name:StartStop /n:1M", usually: strconv.Itoa(systemsbench.Rounds),
	}
}

// newSample returns the verb of the process of a sample of services, which only run.Children calls.
func newSample() *cobra.Command {
	return &cobra.Command{Use: "sample REQUEST", Hidden: true, Args: takes(1, 1, "one request"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return run.Serve(cmd.Context(), systemsbench.Cells(), args[0], cmd.OutOrStdout())
		}}
}

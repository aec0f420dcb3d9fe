package main

import (
	"cmp"
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

	"timerlab/harness/adapter"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/run"
	systemsbench "timerlab/systems/bench"
)

// childrenJob measures cells, every sample in a process of its own, and reports raw files.
type childrenJob struct {
	kind     report.Kind
	part     string // of the code, beside what every verb measures
	page     func(t *results.Table, made string) *report.Page
	building string // what is built first
	build    func(ctx context.Context) ([]run.Cell, error)
	example  string // a filter
	usually  string // how many rounds are measured by default
}

var peersJob = &childrenJob{
	kind: report.Peers, part: "peers", page: report.PeersPage, building: "the peers", build: run.BuildPeers,
	example: ".name:Lifetime /n:1M", usually: "12 of ours, 6 of others",
}

var systemsJob = &childrenJob{
	kind: report.Services, part: "systems", page: systemsbench.Page, building: "the list of cells",
	build: func(ctx context.Context) ([]run.Cell, error) { // this program makes each sample
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		return run.Children(ctx, "", self, "sample")
	},
	example: ".name:StartStop /n:1M", usually: strconv.Itoa(systemsbench.Rounds),
}

// newChildren returns the verb of a childrenJob.
func newChildren(name string, j *childrenJob) *cobra.Command {
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
		t, err := loadOf(j.kind, raws)
		if err != nil {
			return err
		}
		if err := makeFolder(r.out, pagesOf[name]...); err != nil {
			return err
		}
		page := j.page(t, pageCommand(name, raws, r.out))
		page.Warnings = warnings(t)
		return errors.Join(savePage(cmd, page, filepath.Join(r.out, name+".md"), format, raws), wrongCells(t))
	})
	r.addTo(cmd)
	outputFlag(cmd.Flags(), &format)
	return cmd
}

// addTo makes the job what a request measures, and adds its flags.
func (j *childrenJob) addTo(r *request) {
	var filter *benchproc.Filter
	var most int // rounds; 0: the cells' own
	addFlag(r.flags, &filter, "filter", "*", "only what this `filter` of benchstat matches, as in '"+j.example+"'",
		parseFilter)
	roundsFlag(r.flags, &most, j.usually)
	r.parts = []string{j.part}
	if j == peersJob {
		var adapters []*adapter.Adapter
		adaptersFlag(r, &adapters)
	}
	r.prepare = func(cmd *cobra.Command, r *request) (measure func(*results.Raw) error, err error) {
		bar := newProgress(cmd)
		bar.run(0, 1, "building "+j.building)
		all, err := j.build(cmd.Context())
		bar.finish()
		if err != nil {
			return nil, err
		}
		var cells []run.Cell
		rounds := 0
		for _, c := range all {
			if m, err := filter.Match(&benchfmt.Result{Name: benchfmt.Name(c.Name)}); err == nil && m.All() {
				c.Rounds = min(c.Rounds, cmp.Or(most, c.Rounds))
				cells, rounds = append(cells, c), max(rounds, c.Rounds)
			}
		}
		if rounds == 0 {
			return nil, usagef("no cell matches --filter %q", r.flags.Lookup("filter").Value)
		}
		return func(sink *results.Raw) error {
			bar := newProgress(cmd)
			defer bar.finish()
			if err := sink.Rounds(rounds); err != nil {
				return err
			}
			const orderSeed = 1987
			runner := run.Runner{Cells: cells, Seed: orderSeed, Done: func(name string, round int) bool {
				return r.earlier != nil && (r.earlier.Has(name, round) || r.earlier.Skipped(name))
			}}
			if _, _, err := runner.Run(cmd.Context(), sink, bar.run); err != nil {
				return err
			}
			return sink.Finish()
		}, nil
	}
}

func parseFilter(text string) (*benchproc.Filter, error) {
	f, err := benchproc.NewFilter(text)
	if err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n") // the lines below point into the text
		return nil, fmt.Errorf("filter %q: %s", text, why)
	}
	return f, nil
}

// newSample returns the verb of the process of a sample of services, which only run.Children calls.
func newSample() *cobra.Command {
	return &cobra.Command{Use: "sample REQUEST", Hidden: true, Args: takes(1, 1, "one request"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return run.Serve(cmd.Context(), systemsbench.Cells(), args[0], cmd.OutOrStdout())
		}}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	verb, building             string   // what is built first
	parts                      []string // of the code, that are measured
	out, resume, filter, match string
	rounds                     uint64
	format                     report.Format

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
	f.StringVar(&j.out, "out", defaultOut, "folder for the raw file, the page and its figures")
	f.StringVar(&j.resume, "resume", "", "raw file of an interrupted run to continue")
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
	matches, err := j.matcher()
	if err != nil {
		return "", err
	}
	done := func(string, int) bool { return false }
	if j.resume == "" {
		err = os.MkdirAll(j.out, 0o755)
	} else {
		done, err = j.resumed()
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
	raw, sink, err := j.open(cmd)
	if err != nil {
		return "", err
	}
	err = errors.Join(c.Run(cmd.Context(), sink, done, bar.run), sink.Close())
	if err != nil {
		err = fmt.Errorf("%w; continue with --resume %s", kept(err, raw), raw)
	}
	return raw, err
}

// open makes a raw file, or opens the one to resume.
func (j *childrenJob) open(cmd *cobra.Command) (raw string, sink *results.Raw, err error) {
	if j.resume == "" {
		return createRaw(cmd, j.out, j.parts)
	}
	machine, err := thisMachine(j.parts)
	if err == nil {
		sink, err = results.AppendRaw(j.resume, machine)
	}
	return j.resume, sink, err
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

// resumed returns which samples the file to resume has. It must be of this machine.
func (j *childrenJob) resumed() (run.Done, error) {
	t, err := results.Load(j.resume)
	if err != nil {
		return nil, err
	}
	machine, err := thisMachine(j.parts)
	if err != nil {
		return nil, err
	}
	for _, kv := range machine {
		if was := t.Machine[kv[0]]; was != kv[1] {
			return nil, fmt.Errorf("%s: its %s is %s, now it is %s (resume on the same machine with the same "+
				"code)", j.resume, kv[0], was, kv[1])
		}
	}
	return t.Has, nil
}

// report writes the page of raw files and prints it.
func (j *childrenJob) report(cmd *cobra.Command, raws []string) error {
	t, err := loadOf(j.kind, raws)
	if err != nil {
		return err
	}
	page := j.page(t, made(j.verb, raws, j.out))
	if page.Warnings, err = warnings(t); err != nil {
		return err
	}
	paths, err := page.Save(filepath.Join(j.out, j.verb+".md"))
	if err != nil {
		return err
	}
	return errors.Join(printPage(cmd, page, j.format, raws, paths), wrongCells(t))
}

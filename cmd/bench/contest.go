package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/run"

	"github.com/spf13/cobra"
)

// contestJob measures cells each in a process of its own, or goes on with that, and
// reports raw files.
type contestJob struct {
	verb, building     string // what is built first
	out, resume, match string
	rounds             uint64
	format             report.Format

	build func(ctx context.Context, tmp string) (*run.Children, error)
	kind  report.Kind
	page  func(t *results.Table, made string) *report.Page
}

// command returns the verb.
func (j *contestJob) command(short, long, example, roundsAre string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   j.verb + " [RAW...]",
		Short: short,
		Long:  long,
		RunE: func(cmd *cobra.Command, raws []string) error {
			if err := j.check(len(raws) == 0); err != nil {
				return err
			}
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
	formatFlag(f, &j.format)
	f.StringVar(&j.resume, "resume", "", "raw file to go on with")
	f.StringVar(&j.match, "match", "", "only cells whose names match this regular expression, as in '"+example+"' (default all)")
	roundsFlag(f, &j.rounds, "samples of a cell at most (default "+roundsAre+")")
	return cmd
}

// check tells what is wrong before time is spent, and makes the folder of what is
// measured.
func (j *contestJob) check(measures bool) error {
	if _, err := regexp.Compile(j.match); err != nil {
		return usage(fmt.Errorf("--match: %w", err))
	}
	if j.resume == "" {
		if measures {
			return os.MkdirAll(j.out, 0o755)
		}
		return nil
	}
	t, err := results.Load(j.resume)
	if err != nil {
		return err
	}
	for _, kv := range results.ThisMachine() {
		if was := t.Machine[kv[0]]; was != kv[1] {
			return fmt.Errorf("%s: its %s is %s, this one's is %s, allowed: the same machine and code", j.resume, kv[0], was, kv[1])
		}
	}
	return nil
}

// measure makes what samples are missing and returns the raw file.
func (j *contestJob) measure(cmd *cobra.Command) (raw string, err error) {
	match := regexp.MustCompile(j.match)
	tmp, err := os.MkdirTemp("", j.verb)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	bar := newProgress(cmd)
	bar.run(0, 1, "building "+j.building)
	c, err := j.build(cmd.Context(), tmp)
	bar.finish()
	if err != nil {
		return "", err
	}
	if err := c.Keep(match, int(j.rounds)); err != nil {
		return "", usage(err)
	}
	sink, done, raw, err := j.open(cmd)
	if err != nil {
		return "", err
	}
	err = c.Run(cmd.Context(), sink, done, bar.run)
	err = errors.Join(err, sink.Close())
	bar.finish()
	if err != nil {
		err = fmt.Errorf("%w; --resume %s goes on with it", kept(err, raw), raw)
	}
	return raw, err
}

// open makes a raw file, or opens the one to resume, and tells what it has.
func (j *contestJob) open(cmd *cobra.Command) (sink *results.Raw, done func(string, int) bool, raw string, err error) {
	machine := results.ThisMachine()
	if j.resume == "" {
		raw = filepath.Join(j.out, rawName(j.verb))
		if sink, err = results.CreateRaw(raw, machine); err == nil {
			err = sink.Command("go run ./cmd/bench " + j.verb + changedFlags(cmd))
		}
		return sink, func(string, int) bool { return false }, raw, err
	}
	t, err := results.Load(j.resume)
	if err != nil {
		return nil, nil, "", err
	}
	sink, err = results.AppendRaw(j.resume, machine)
	return sink, t.Has, j.resume, err
}

// report writes the page of raw files and prints it.
func (j *contestJob) report(cmd *cobra.Command, raws []string) error {
	t, err := loadOf(j.kind, raws)
	if err != nil {
		return err
	}
	page := j.page(t, "go run ./cmd/bench "+j.verb+" "+strings.Join(raws, " ")+" --out "+j.out)
	paths, err := page.Save(filepath.Join(j.out, j.verb+".md"))
	if err != nil {
		return err
	}
	return errors.Join(printPage(cmd, page, j.format, raws, paths), wrongCells(t))
}

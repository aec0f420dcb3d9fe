package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/contest"
	"timerlab/harness/measure"
	"timerlab/harness/report"
)

// peersJob measures our fastest schemes beside other people's timers.
type peersJob struct {
	out, resume, match, readme string
	rounds                     uint64
}

func newPeers() *cobra.Command {
	j := &peersJob{}
	cmd := &cobra.Command{
		Use:   "peers [RAW...]",
		Short: "Measure ours and other people's timers on the same work, interleaved",
		Long: `Measure the chunked and the linked forms of schemes 6 and 7, a heap as good as we can
make it, and other people's timers (Go's own, timingwheel, antlabs, go-timewheel,
go-zero, container/heap, two B-trees) on the same works, and print who wins each cell.
Every sample is a process of its own and its outcome is verified. Builds the nested
module harness/peers, so it must be called within the repository. All rounds take
about an hour; --match and --rounds make it less, and --resume goes on with a file where
it was interrupted. Raw files as arguments are reported, and nothing is measured.`,
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
	f.StringVar(&j.out, "out", defaultOut, "folder for the raw file")
	f.StringVar(&j.resume, "resume", "", "raw file to go on with")
	f.StringVar(&j.match, "match", "", "only cells whose names match this regular expression, as in 'Hold/.*n=1M' (default all)")
	f.StringVar(&j.readme, "readme", "", "file to put the tables into, between their marks")
	roundsFlag(f, &j.rounds, "samples of a cell at most (default 12 of ours, 6 of others, 3 of others at n = 10M)")
	return cmd
}

// check tells what is wrong before time is spent, and makes the folder of what is
// measured.
func (j *peersJob) check(measures bool) error {
	if _, err := regexp.Compile(j.match); err != nil {
		return usage(fmt.Errorf("--match: %w", err))
	}
	if j.readme != "" {
		if err := report.CanSpliceContest(j.readme); err != nil {
			return err
		}
	}
	if j.resume == "" {
		if measures {
			return os.MkdirAll(j.out, 0o755)
		}
		return nil
	}
	t, err := measure.Load(j.resume)
	if err != nil {
		return err
	}
	for _, kv := range measure.ThisMachine() {
		if was := t.Machine[kv[0]]; was != kv[1] {
			return fmt.Errorf("%s: its %s is %s, this one's is %s, allowed: the same machine and code", j.resume, kv[0], was, kv[1])
		}
	}
	return nil
}

// measure makes what samples are missing and returns the raw file.
func (j *peersJob) measure(cmd *cobra.Command) (raw string, err error) {
	match := regexp.MustCompile(j.match)
	tmp, err := os.MkdirTemp("", "peers")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	bar := newProgress(cmd)
	bar.run(0, 1, "building the peers")
	c, err := contest.Build(cmd.Context(), tmp)
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
func (j *peersJob) open(cmd *cobra.Command) (sink *measure.Raw, done func(string, int) bool, raw string, err error) {
	machine := measure.ThisMachine()
	if j.resume == "" {
		raw = filepath.Join(j.out, rawName("peers"))
		if sink, err = measure.CreateRaw(raw, machine); err == nil {
			err = sink.Command("go run ./cmd/bench peers" + changedFlags(cmd))
		}
		return sink, func(string, int) bool { return false }, raw, err
	}
	t, err := measure.Load(j.resume)
	if err != nil {
		return nil, nil, "", err
	}
	sink, err = measure.AppendRaw(j.resume, machine)
	return sink, t.Has, j.resume, err
}

func (j *peersJob) report(cmd *cobra.Command, raws []string) error {
	t, err := measure.Load(raws...)
	if err != nil {
		return err
	}
	page := report.Contest{Table: t}
	text := page.Markdown()
	if j.readme != "" {
		if err := page.Splice(j.readme); err != nil {
			return err
		}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s\nraw results  %s\n", text, strings.Join(raws, ", "))
	if wrong := page.Wrong(); wrong > 0 {
		return fmt.Errorf("%s with a wrong outcome, shown as ERROR: %w", count(wrong, "cell"), errUnverified)
	}
	return nil
}

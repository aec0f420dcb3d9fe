package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/results"
	"timerlab/harness/run"
)

// measure measures a plan into a raw file, and writes machine.txt into the folder of a new one.
func (r *recorder) measure(cmd *cobra.Command, plan run.Plan) (raw string, err error) {
	if r.shard.Count > 0 {
		if plan.Split(&r.shard); len(plan.Groups) == 0 {
			return "", r.emptyShard()
		}
	}
	plan.Earlier = r.earlier
	raw, sink, err := r.open(cmd)
	if err != nil {
		return raw, err
	}
	plan.Clock = run.MeasureClock()
	err = sink.Note(fmt.Sprintf("seed %d, %d rounds; clock: a reading costs %v and resolves %v; load %s",
		plan.Seed, plan.Rounds, plan.Clock.Cost, plan.Clock.Resolution, results.SystemLoad()))
	if r.resume == "" {
		machine := results.ThisMachine().String()
		err = errors.Join(err, os.WriteFile(filepath.Join(r.out, "machine.txt"), []byte(machine), 0o644))
	}
	if err == nil {
		bar := newProgress(cmd)
		err = plan.Run(cmd.Context(), sink, bar.run)
		bar.finish()
	}
	return raw, r.finish(cmd, raw, sink, err)
}

// kept says where the results are that an error, if it is one, interrupted.
func kept(err error, raw string) error {
	if err == nil {
		return nil
	}
	if _, statErr := os.Stat(raw); statErr != nil {
		return err
	}
	return fmt.Errorf("%w; what was measured is in %s", err, raw)
}

// made returns the command that writes the page of raw files into out again.
func made(verb string, raws []string, out string) string {
	return "go run ./cmd/bench " + verb + " " + strings.Join(raws, " ") + " --out " + out
}

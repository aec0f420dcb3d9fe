package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness/results"
	"timerlab/harness/run"
)

// measure measures a plan into a raw file in the folder out, and writes machine.txt
// there.
func measure(cmd *cobra.Command, out string, plan run.Plan) (raw string, err error) {
	raw, sink, err := createRaw(cmd, out, schemesCode)
	if err != nil {
		return raw, err
	}
	plan.Clock = run.MeasureClock()
	note := fmt.Sprintf("seed %d, %d rounds; clock: a reading costs %v and resolves %v; load %s",
		plan.Seed, plan.Rounds, plan.Clock.Cost, plan.Clock.Resolution, results.SystemLoad())
	machine := results.ThisMachine().String()
	err = errors.Join(sink.Note(note), os.WriteFile(filepath.Join(out, "machine.txt"), []byte(machine), 0o644))
	if err == nil {
		bar := newProgress(cmd)
		err = plan.Run(cmd.Context(), sink, bar.run)
		bar.finish()
	}
	return raw, kept(errors.Join(err, sink.Close()), raw)
}

// createRaw creates a raw file in the folder out, which it makes, with the command line
// that measures and the parts of the code that are measured. The file is named by the verb and the time, so that none is replaced.
func createRaw(cmd *cobra.Command, out string, parts []string) (raw string, sink *results.Raw, err error) {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return "", nil, err
	}
	machine, err := thisMachine(parts)
	if err != nil {
		return "", nil, err
	}
	raw = filepath.Join(out, fmt.Sprintf("%s-%s.txt", cmd.Name(), time.Now().UTC().Format("20060102T150405Z")))
	sink, err = results.CreateRaw(raw, machine)
	if err != nil {
		return raw, nil, err
	}
	return raw, sink, sink.Command("go run ./cmd/" + cmd.CommandPath() + changedFlags(cmd))
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

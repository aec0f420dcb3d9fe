package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
)

// measureInto measures a plan and appends what comes to the raw file, which it
// makes with its folder, and machine.txt beside it.
func measureInto(cmd *cobra.Command, raw, command string, plan run.Plan) (err error) {
	if err := os.MkdirAll(filepath.Dir(raw), 0o755); err != nil {
		return err
	}
	machine := results.ThisMachine()
	if err := writeMachine(filepath.Join(filepath.Dir(raw), "machine.txt"), machine); err != nil {
		return err
	}
	sink, err := results.CreateRaw(raw, machine)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := sink.Close(); err == nil {
			err = closeErr
		}
	}()
	plan.Clock = run.MeasureClock()
	note := fmt.Sprintf("seed %d, %d rounds; clock: a reading costs %v and resolves %v; load %s",
		plan.Seed, plan.Rounds, plan.Clock.Cost, plan.Clock.Resolution, results.SystemLoad())
	if err := errors.Join(sink.Command(command), sink.Note(note)); err != nil {
		return err
	}
	bar := newProgress(cmd)
	defer bar.finish()
	return plan.Run(cmd.Context(), sink, bar.run)
}

func writeMachine(path string, machine results.Machine) error {
	text := ""
	for _, kv := range machine {
		text += kv[0] + ": " + kv[1] + "\n"
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// progress shows what runs and how long is left, on standard error.
type progress struct{ bar *progressbar.ProgressBar }

func newProgress(cmd *cobra.Command) *progress {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(cmd.ErrOrStderr()),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(20),
		progressbar.OptionThrottle(throttle()),
	}
	return &progress{progressbar.NewOptions(1, options...)}
}

// throttle is how often the line changes: on a terminal often enough to be seen
// moving, else seldom enough to keep a log short.
func throttle() time.Duration {
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return 200 * time.Millisecond
	}
	return 10 * time.Second
}

// run is told of each run before it begins. What the bar cannot write is no
// reason to stop measuring.
func (p *progress) run(run, runs int, what string) {
	p.bar.ChangeMax(max(runs, 1)) // none are known while workloads are made
	p.bar.Describe(fmt.Sprintf("%-72.72s", what))
	_ = p.bar.Set(run)
}

// finish removes the line, so that what is printed next stands alone.
func (p *progress) finish() { _ = p.bar.Clear() }

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"timerlab/harness/results"
	"timerlab/harness/run"
)

// measureInto measures a plan and appends the results to the raw file, which it makes
// with its folder, and machine.txt beside it.
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

// progress shows what runs and how long is left, on standard error: as a bar on a
// terminal, else as a line every ten seconds.
type progress struct {
	bar   *progressbar.ProgressBar // nil: lines
	w     io.Writer
	begun time.Time
	shown time.Time // the last line
}

func newProgress(cmd *cobra.Command) *progress {
	w := cmd.ErrOrStderr()
	p := &progress{w: w, begun: time.Now(), shown: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions(1,
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionSetElapsedTime(true),
			progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(20),
			progressbar.OptionThrottle(200*time.Millisecond))
	}
	return p
}

// lineEvery is the time between two lines of progress in a file.
const lineEvery = 10 * time.Second

// run is called before each run. What cannot be written is no reason to stop
// measuring.
func (p *progress) run(run, runs int, what string) {
	if p.bar != nil {
		p.bar.ChangeMax(max(runs, 1)) // none are known while workloads are made
		p.bar.Describe(fmt.Sprintf("%-72.72s", what))
		_ = p.bar.Set(run)
		return
	}
	if time.Since(p.shown) < lineEvery {
		return
	}
	p.shown = time.Now()
	left := ""
	if run > 0 && run < runs {
		remaining := time.Since(p.begun) / time.Duration(run) * time.Duration(runs-run)
		left = fmt.Sprintf(", about %s left", results.FormatDuration(remaining.Round(time.Second)))
	}
	fmt.Fprintf(p.w, "%s: %d of %d%s\n", what, run, runs, left)
}

// finish removes the bar, so that what is printed next stands alone.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

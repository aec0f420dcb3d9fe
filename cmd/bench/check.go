package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"timerlab/harness/gate"
	"timerlab/harness/report"
	"timerlab/harness/results/units"
)

func newCheck() *cobra.Command {
	var against string
	var share float64 // by which a time may grow; 0: times are not checked
	var format report.Format
	cmd := verb("check", someFiles, func(cmd *cobra.Command, raws []string) error {
		if against == "" {
			return usagef("--base is missing (use the raw file to compare with)")
		}
		for _, raw := range raws { // what is not there is an error below
			was, _ := os.Stat(against)
			if is, err := os.Stat(raw); err == nil && os.SameFile(was, is) {
				return usagef("%s is the base and is checked (use the raw file of another run)", raw)
			}
		}
		base, err := loadRaws(against)
		if err != nil {
			return err
		}
		now, err := loadRaws(raws...)
		if err != nil {
			return err
		}
		r, err := gate.Check(base, now, share)
		switch {
		case errors.Is(err, gate.ErrNothing):
			return usagef("%w; times need --time; files of go test -bench need a line \"Unit visits/op assume=exact\" for "+
				"each exact unit (go tool benchstat compares all else)", err)
		case err != nil:
			return err
		}
		page := report.CheckPage(r, commandLine(cmd, raws...), append(base.Sources, now.Sources...)...)
		if err := writePage(cmd, page, format); err != nil || r.OK() {
			return err
		}
		return fmt.Errorf("%w: %s", errRegression, units.Plural(len(r.Faults), "fault"))
	})
	pathFlag(cmd.Flags(), &against, "base", "", "raw `file` to compare with")
	addFlag(cmd.Flags(), &share, "time", "", "check times too: the `percentage` by which they may grow", percent)
	outputFlag(cmd.Flags(), &format)
	return cmd
}

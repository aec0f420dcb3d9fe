package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"timerlab/harness/gate"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// doctorRun is what the doctor measures in some seconds: a scheme under two names in eight cells, with the rounds of the
// main job.
const doctorRun = "run -n 1k,10k -M 256,4096 -T 1k,4k --schemes hashunsorted --rounds 7 --layouts 0"

func newDoctor() *cobra.Command {
	var format report.Format
	cmd := verb("doctor", noArgs, func(cmd *cobra.Command, _ []string) error {
		stolen, all := processorTime()
		dir, err := os.MkdirTemp("", "doctor")
		if err != nil {
			return err
		}
		defer func() {
			if cmd.Context().Err() == nil { // an interrupted run says how to continue with its file
				os.RemoveAll(dir)
			}
		}()
		r, err := parseRequest(append(strings.Fields(doctorRun), "--out", dir))
		if err != nil {
			return err
		}
		raw, err := r.measure(cmd)
		if err != nil {
			return err
		}
		t, err := loadRaws(raw)
		if err != nil {
			return err
		}
		steal := "unknown"
		if stolenAfter, allAfter := processorTime(); allAfter > all {
			steal = units.FormatPercent((stolenAfter - stolen) / (allAfter - all))
		}
		d := gate.Diagnose(t)
		page := report.DoctorPage(d, results.ThisMachine().Get("governor"), steal, commandLine(cmd))
		if err := writePage(cmd, page, format); err != nil || d.OK() {
			return err
		}
		return fmt.Errorf("%w on %s with %d rounds", errNoVerdict, units.FormatPercent(gate.VerdictOn), d.Rounds)
	})
	outputFlag(cmd.Flags(), &format)
	return cmd
}

// processorTime returns the time that a hypervisor gave to others and all time of all processors since the start, in
// ticks of Linux. Elsewhere it is 0.
func processorTime() (stolen, all float64) {
	stat, _ := os.ReadFile("/proc/stat")
	sum, _, _ := strings.Cut(string(stat), "\n")
	for i, field := range strings.Fields(sum) {
		ticks, _ := strconv.ParseFloat(field, 64)
		if i == 8 {
			stolen = ticks
		}
		if i <= 8 { // those after are guests', which others include
			all += ticks
		}
	}
	return stolen, all
}

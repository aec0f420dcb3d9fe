package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"timerlab/harness/report"
	"timerlab/harness/report/picks"
	"timerlab/harness/workload"
	systemsload "timerlab/systems/load"
)

const (
	resetsTimeout = 30 * time.Second
	mostResets    = 700_000 // a second, which one goroutine makes
)

func newResets() *cobra.Command {
	var format report.Format
	var budget time.Duration
	var timers, perTimeout []int
	cmd := verb("resets", noArgs, func(cmd *cobra.Command, _ []string) error {
		self, err := os.Executable()
		bar := newProgress(cmd)
		var all []systemsload.Resets
		slices.Sort(perTimeout)
		for done := 0; done < len(timers)*len(perTimeout) && err == nil; done++ {
			r := systemsload.Resets{N: timers[done/len(perTimeout)], PerTimeout: perTimeout[done%len(perTimeout)]}
			l := r.Load(resetsTimeout)
			if l.Rate > mostResets {
				continue
			}
			l.Budget, l.Requests = budget, []string{self, "pick", "--" + requestsFlag}
			r.Costs, err = l.Costs(cmd.Context(), func(service string, turn, turns int) {
				bar.run(done*turns+turn, len(timers)*len(perTimeout)*turns, fmt.Sprintf("%v connections, %d resets, %s", workload.Count(r.N), r.PerTimeout, service))
			})
			if r.Turns > 0 {
				all = append(all, r)
			}
		}
		bar.finish()
		if len(all) == 0 && err == nil {
			r := systemsload.Resets{N: slices.Min(timers), PerTimeout: perTimeout[0]}
			return usagef("resets: %v connections that are reset %d times in %v have %.3g resets a second (must be at most %d)",
				workload.Count(r.N), r.PerTimeout, resetsTimeout, r.Load(resetsTimeout).Rate, mostResets)
		} else if len(all) == 0 {
			return err
		}
		return errors.Join(writePage(cmd, picks.ResetsPage(all, resetsTimeout, commandLine(cmd)), format), err)
	})
	f := cmd.Flags()
	addFlag(f, &timers, "timers,n", "10k,200k", "`counts` of connections", listOf(whole[int](1, workload.MaxOps)))
	addFlag(f, &perTimeout, "resets", "1,3,10,30,100,300,1k", "`counts` of resets in each timeout of "+resetsTimeout.String(), listOf(whole[int](1, 10_000)))
	addFlag(f, &budget, "budget", "30s", "`time` for each number of connections and of resets", duration)
	formatFlag(f, &format, []report.Format{report.Markdown, report.Text, report.JSON, report.CSV}, "`format` of the output: md,text,json,csv")
	return cmd
}

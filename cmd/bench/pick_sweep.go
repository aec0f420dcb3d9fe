package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"timerlab/harness/results"

	"github.com/spf13/cobra"

	"timerlab/harness/pick"
)

// What a pick is to keep: it is good if it takes at most a tenth more than the best, as
// nearly all must be, and none may take half more.
const (
	goodPick   = 1.10
	goodShare  = 0.95
	worstPick  = 1.50
	drawnCases = 20 // that chance makes, beside the presets
)

func newSweep() *cobra.Command {
	j := &sweepJob{seed: 1}
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Compare picks with what measuring every candidate says, on many workloads",
		Long: `Pick for all presets and for workloads that chance makes, then measure every candidate
thoroughly, and print how far each pick is from the best. Takes an hour; interrupted, it goes
on with the same file.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return j.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&j.file, "file", "", "file of verdicts, which is made or gone on with (required)")
	f.BoolVar(&j.print, "print", false, "only print what the file has, of whatever machine")
	f.DurationVar(&j.budget, "budget", 45*time.Second, "time for each pick, whose prices are known")
	f.DurationVar(&j.truth, "truth", 40*time.Second, "time for measuring all candidates of a workload, if that is enough for their rounds")
	f.StringVar(&j.match, "match", "", "only workloads whose name contains this")
	f.StringVar(&j.prices, "prices", "auto", "as of pick")
	seedFlag(f, &j.seed)
	return cmd
}

type sweepJob struct {
	file, match, prices string
	print               bool
	budget, truth       time.Duration
	seed                uint64
}

func (j *sweepJob) run(cmd *cobra.Command) error {
	switch {
	case j.file == "":
		return usagef("no --file, want one for the verdicts")
	case j.budget <= 0:
		return usagef("--budget %v, allowed above 0", j.budget)
	case j.truth <= 0:
		return usagef("--truth %v, allowed above 0", j.truth)
	case j.print:
		data, err := os.ReadFile(j.file)
		if err != nil {
			return err
		}
		s, err := pick.ReadSweep(data)
		if err != nil {
			return fmt.Errorf("%s: %w", j.file, err)
		}
		return printSweep(cmd.OutOrStdout(), s)
	}
	cases := slices.DeleteFunc(pick.Cases(drawnCases, j.seed), func(c pick.Case) bool { return !strings.Contains(c.Name, j.match) })
	if len(cases) == 0 {
		return usagef("--match %q: no workload, allowed part of a preset's name or of random-01 to random-%d", j.match, drawnCases)
	}
	prices := &pickJob{prices: j.prices, budget: longEnough}
	if _, err := prices.limits(); err != nil {
		return err
	}
	s, f, err := pick.OpenSweep(j.file, pick.Terms{Machine: results.ThisMachine(), Seed: j.seed, Budget: j.budget, Truth: j.truth})
	if err != nil {
		return err
	}
	defer f.Close()
	err = j.judge(cmd, prices, cases, &s, f)
	return errors.Join(printSweep(cmd.OutOrStdout(), s), err)
}

// judge adds the cases that are missing.
func (j *sweepJob) judge(cmd *cobra.Command, prices *pickJob, cases []pick.Case, s *pick.Sweep, f io.Writer) error {
	bar := newProgress(cmd)
	defer bar.finish()
	m, _, err := prices.model(cmd, bar.run)
	if err != nil {
		return err
	}
	for i, c := range cases {
		if s.Has(c.Name) {
			continue
		}
		v, err := c.Judge(cmd.Context(), m, s.Terms, func(_, _ int, what string) { bar.run(i, len(cases), c.Name+", "+what) })
		if err != nil {
			return err
		}
		s.Verdicts = append(s.Verdicts, v)
		if err := json.NewEncoder(f).Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// printSweep prints the verdicts as a page of Markdown.
func printSweep(w io.Writer, s pick.Sweep) error {
	good, worst := 0, pick.Verdict{}
	grades := map[string]int{}
	over := 0
	for _, v := range s.Verdicts {
		if v.Ratio <= goodPick {
			good++
		}
		grades[v.Grade(goodPick)]++
		if v.Ratio > worst.Ratio {
			worst = v
		}
		if v.Memory > 0 && v.Bytes > v.Memory {
			over++
		}
	}
	fmt.Fprintf(w, "# Picks against the truth\n\n")
	for _, kv := range s.Machine {
		if slices.Contains([]string{"cpu", "caches", "go", "commit"}, kv[0]) {
			fmt.Fprintf(w, "%s: %s  \n", kv[0], kv[1])
		}
	}
	if len(s.Verdicts) == 0 {
		_, err := fmt.Fprintf(w, "\nNothing is judged yet.\n")
		return err
	}
	fmt.Fprintf(w, "\n%d of %d picks are within %.0f %% of the best that any candidate was measured at, %.1f %% of them (asked for: %.0f %%): %s. ",
		good, len(s.Verdicts), 100*(goodPick-1), 100*float64(good)/float64(len(s.Verdicts)), 100*goodShare, isKept(float64(good) >= goodShare*float64(len(s.Verdicts))))
	fmt.Fprintf(w, "By the intervals of their ratios %d are within, %d beyond, and of %d the rounds do not tell. ", grades["within"], grades["beyond"], grades["undecided"])
	fmt.Fprintf(w, "The worst, for %s, takes %.2f times the best (allowed: %.2f): %s. Over their memory: %d.\n\n",
		worst.Name, worst.Ratio, worstPick, isKept(worst.Ratio <= worstPick), over)
	fmt.Fprintf(w, "Each pick had %v; seed %d. ", s.Budget, s.Seed)
	fmt.Fprintf(w, "A pick is what `bench pick` names first; where it named more as a tie, the slowest of those follows. The truth is a\nrace of all candidates on another trace of the same workload, 7 rounds for all within twice the best, then 6 or more,\nas fit into %v, for all within 1.25 times. ", s.Truth)
	fmt.Fprintf(w, "The best\nis chosen on every other round and compared with on the rest, round by round: else it would in part be the luckiest.\n\n")
	fmt.Fprintln(w, "| workload | n | λ | R, ticks | picked | over the best | the best | its life | measured, rounds | noise | its prediction over the least | model off | pick took |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, v := range s.Verdicts {
		ratio := fmt.Sprintf("%.2f", v.Ratio)
		if v.Hi > 0 && v.Picked != v.Best {
			ratio += fmt.Sprintf(" (%.2f to %.2f)", v.Lo, v.Hi)
		}
		if v.Tied > 1 {
			ratio += fmt.Sprintf(", %d tie, %.2f", v.Tied, v.WorstTied)
		}
		if v.Ratio > goodPick {
			ratio = "**" + ratio + "**"
		}
		best := v.Best
		if best == v.Picked {
			best = "it"
		}
		fmt.Fprintf(w, "| %s | %s | %.3g | %.4g | %s | %s | %s | %.3g ns | %d, %d | %.1f %% | %.2f | %.0f %% | %.0f s |\n",
			v.Name, results.FormatCount(uint64(v.N)), v.Rate, v.Residence, v.Picked, ratio, best, v.Least, v.Candidates, v.Rounds, 100*v.Noise, v.Foreseen, 100*v.Model, v.Took)
	}
	head := "\nWhat chance made:\n\n"
	for _, v := range s.Verdicts {
		if strings.HasPrefix(v.Name, "random") {
			fmt.Fprint(w, head)
			head = ""
			limit := ""
			if v.Memory > 0 {
				limit = fmt.Sprintf("; at most %s, the pick takes %s", pick.FormatBytes(v.Memory), pick.FormatBytes(v.Bytes))
			}
			fmt.Fprintf(w, "- %s: %s%s\n", v.Name, v.About, limit)
		}
	}
	return nil
}

func isKept(yes bool) string {
	if yes {
		return "kept"
	}
	return "NOT kept"
}

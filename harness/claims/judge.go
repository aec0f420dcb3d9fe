package claims

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"timerlab/harness/results"
)

// Result is a claim judged.
type Result struct {
	Claim
	Verdict Verdict  `json:"verdict"`
	Points  []Point  `json:"comparisons"`
	Missing string   `json:"missing,omitempty"` // why a claim about times is undecided: what was not measured
	Rows    []string `json:"rows"`              // what was counted or timed, in the Go benchmark format
}

// Deciding returns the comparison that the verdict rests on, which is the first with
// that verdict, and whether there is one.
func (r Result) Deciding() (Point, bool) {
	i := slices.IndexFunc(r.Points, func(p Point) bool { return p.Verdict() == r.Verdict })
	if i < 0 {
		return Point{What: "nothing", Measured: unknown, Predicted: math.NaN()}, false
	}
	return r.Points[i], true
}

// Notes says what Deciding compares, and what holds instead or is missing.
func (r Result) Notes() []string {
	var notes []string
	if p, ok := r.Deciding(); ok {
		notes = append(notes, fmt.Sprintf("measured: %s (1 of %d)", p.What, len(r.Points)))
	}
	if instead := r.WhatHolds(); instead != "" {
		notes = append(notes, "instead: "+instead)
	}
	if r.Missing != "" {
		notes = append(notes, "missing: "+r.Missing)
	}
	return notes
}

// WhatHolds returns what holds instead of a claim that fails, and "" for other claims.
func (r Result) WhatHolds() string {
	if r.Verdict != Fails {
		return ""
	}
	return r.Instead
}

// study judges the choice between schemes 6 and 7, once for all claims of a table.
type study func() (*Choice, error)

func studyOf(t *results.Table) study {
	return sync.OnceValues(func() (*Choice, error) { return JudgeChoice(t) })
}

// judge makes the claim's counted runs and reads its times. t may be nil: then there are no
// times. An error says that a run went wrong, not that a claim fails.
func (c Claim) judge(t *results.Table, choice study) (Result, error) {
	r := Result{Claim: c, Points: []Point{}}
	if c.counted != nil {
		l, err := attempt(c.counted)
		if r.add(l.evidence); err != nil {
			return r, err
		}
	}
	r.Verdict = judge(r.Points)
	if c.timed == nil || r.Verdict == Fails {
		return r, nil // what fails by its counts needs no times
	}
	return r.addTimes(t, choice), nil
}

func (r *Result) add(e evidence) {
	for _, p := range e.points {
		r.Points = append(r.Points, *p)
	}
	r.Rows = append(r.Rows, e.rows...)
}

// addTimes adds the comparisons of times. Without them all, the verdict can be that
// the claim fails, but not that it holds.
func (r Result) addTimes(t *results.Table, choice study) Result {
	if t == nil {
		r.Verdict, r.Missing = Undecided, "times: give raw files"
		return r
	}
	times := &timings{Table: t, study: choice}
	r.timed(times)
	r.add(times.evidence)
	r.Verdict = judge(r.Points)
	if times.missing != nil {
		r.Missing = times.missing.Error()
		if r.Verdict == Holds {
			r.Verdict = Undecided
		}
	}
	return r
}

// JudgeAll judges claims, several at once, and returns the results in their order;
// after an error or an interrupt, those that are done. It calls done with the number
// of claims judged.
func JudgeAll(ctx context.Context, list []Claim, t *results.Table, done func(int)) ([]Result, error) {
	var mutex sync.Mutex
	choice := studyOf(t)
	count := 0
	return parallel(ctx, len(list), func(i int) (Result, error) {
		r, err := list[i].judge(t, choice)
		mutex.Lock()
		defer mutex.Unlock()
		count++
		done(count)
		return r, err
	})
}

// parallel calls do for 0 to n-1, on all processors, until ctx is done, and returns the
// results of the calls without an error, in order.
func parallel[T any](ctx context.Context, n int, do func(i int) (T, error)) ([]T, error) {
	all, errs := make([]*T, n), make([]error, n, n+1)
	places := make(chan bool, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i := 0; i < n && ctx.Err() == nil; i++ {
		places <- true
		group.Go(func() {
			x, err := do(i)
			if errs[i] = err; err == nil {
				all[i] = &x
			}
			<-places
		})
	}
	group.Wait()
	var finished []T
	for _, x := range all {
		if x != nil {
			finished = append(finished, *x)
		}
	}
	return finished, errors.Join(append(errs, ctx.Err())...)
}

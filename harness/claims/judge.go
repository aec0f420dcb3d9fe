package claims

import (
	"context"
	"encoding/json"
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

// Notes returns what Deciding compares, and the Parts that are about the verdict.
func (r Result) Notes() []string {
	var notes []string
	if p, ok := r.Deciding(); ok {
		note := fmt.Sprintf("measured: %s (1 of %d)", p.What, len(r.Points))
		if p.Open != "" {
			note += ", which decides nothing: " + p.Open
		}
		notes = append(notes, note)
	}
	for _, part := range r.Parts() {
		if !slices.Contains([]string{"assumes", "measure"}, part[0]) {
			notes = append(notes, part[0]+": "+part[1])
		}
	}
	return notes
}

// Parts returns the texts of the claim that go with its sentence, each with its name.
func (r Result) Parts() (parts [][2]string) {
	for _, part := range [][2]string{{"assumes", r.Assumes}, {"measure", r.Measure}, {"argument", r.Argument},
		{"instead", r.WhatHolds()}, {"missing", r.Missing}, {"remark", r.Remark}} {
		if part[1] != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// WhatHolds returns what holds instead of a claim that fails, and "" for other claims.
func (r Result) WhatHolds() string {
	if r.Verdict != Fails {
		return ""
	}
	return r.Instead
}

// MarshalJSON writes a result for other programs. What is missing is null.
func (r Result) MarshalJSON() ([]byte, error) {
	type fields Result // without this method
	return json.Marshal(struct {
		fields
		Judged  string `json:"judged"`
		Instead string `json:"instead,omitempty"`
	}{fields(r), r.Judged(), r.WhatHolds()})
}

// judge makes the claim's counted runs and reads its times. An error says that a run went wrong,
// not that a claim fails.
func (c Claim) judge(m *measuredTimes) (Result, error) {
	r := Result{Claim: c, Points: []Point{}}
	if c.Argument != "" {
		r.Verdict = c.Argued
		return r, nil
	}
	l, err := attempt(c.counted...)
	if r.add(l.evidence); err != nil {
		return r, err
	}
	r.Verdict = judge(r.Points)
	if c.timed == nil || r.Verdict == Fails {
		return r, nil // what fails by its counts needs no times
	}
	return r.addTimes(m), nil
}

func (r *Result) add(e evidence) {
	for _, p := range e.points {
		r.Points = append(r.Points, *p)
	}
	r.Rows = append(r.Rows, e.rows...)
}

// addTimes adds the comparisons of times. Without them all, the verdict can be that
// the claim fails, but not that it holds.
func (r Result) addTimes(m *measuredTimes) Result {
	if m.Table == nil {
		r.Verdict, r.Missing = Undecided, "times: give raw files"
		return r
	}
	times := m.timingsOf(r.Claim)
	for _, p := range times.points {
		m.correct(p)
	}
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
	m := newMeasuredTimes(t)
	count := 0
	return parallel(ctx, len(list), func(i int) (Result, error) {
		r, err := list[i].judge(m)
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

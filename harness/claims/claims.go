// Package claims judges what the paper says. A claim is a sentence, the comparisons that it stands or falls by, each
// a prediction, a measurement and the tolerance between them, and a verdict.
//
// Claims are one list, in claims.txt. Claims of the authors, of later articles and our own are counted
// apart. What is compared is written there too, in lines of one grammar (line.go):
//
//	visits/ticks of hashunsorted where M=256 n=2000 T=4096 = n/M ± 0.26 because T is finite
//	Start,Stop of others where set=claims T=2048 over unordered ≥ 0.8
//
// The first is counted (count.go), on runs of the virtual clock made for it: the same on every machine, in
// seconds. The second is timed (times.go): read from raw files of package run. A few checks that no line can
// express are in checks.go. Figures of what is counted are drawn from such lines, too (figures.txt, drawings.go).
//
// # When a comparison of times decides
//
// A machine drifts, so two subjects are compared round by round. The median ratio has an interval of order statistics,
// which no single disturbed round can move. With seven rounds its ends are the least and the greatest ratio, and it
// holds the true one in 98.4 % of cases; every comparison says its level.
//
//   - A comparison holds if the interval is wholly on the claimed side of the bound. A claim holds if all its
//     comparisons do. That needs no correction for their number: if one of them is false, then all of them hold no
//     more often than that one does (an intersection-union test).
//   - A comparison fails if the interval is wholly on the other side, and p is at most 5 % by Student's t on the
//     logarithms of the ratios, one-sided, with Holm's correction for all comparisons of times in the list: a claim
//     fails if any of its comparisons does, and among a hundred that are true the intervals alone would refute one.
//   - Else it is undecided.
//
// The comparisons of c7/c6 (V-7), slopes that may lie below 0, are few, and fail by their intervals.
package claims

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"net/textproto"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"timerlab/harness/results"
)

// Verdict is the outcome of judging a claim.
type Verdict string

// Verdicts.
const (
	Holds       Verdict = "HOLDS"
	Fails       Verdict = "FAILS"
	Undecided   Verdict = "UNDECIDED"
	Reported    Verdict = "REPORTED"     // of another machine or program, which nothing here can refute
	NotMeasured Verdict = "NOT MEASURED" // a claim about times of which there is not one
)

// Whose names the source of a claim.
type Whose string

const (
	Papers   Whose = "paper"   // of the authors of the schemes
	Articles Whose = "article" // of later books and articles
	Ours     Whose = "ours"    // derived here
)

// Groups lists the sources.
var Groups = []Whose{Papers, Articles, Ours}

// Claim is one of the list, with its check.
type Claim struct {
	ID       string `json:"id"` // in the analysis; a trailing x marks a form that we derived
	Whose    Whose  `json:"whose"`
	Scheme   string `json:"scheme"` // the schemes it is about: names, or "all"
	Source   string `json:"source"` // a section of the paper, "derived", an article
	Sentence string `json:"claim"`
	Assumes  string `json:"assumes,omitempty"`
	Measure  string `json:"measure,omitempty"` // what the check makes of it
	Remark   string `json:"remark,omitempty"`
	Instead  string `json:"-"`                // what holds instead if the claim fails
	Figure   string `json:"figure,omitempty"` // the figure that shows it, without the format

	// What makes the comparisons: the lines of claims.txt, then a check in Go.
	counted []func(*counter)
	timed   []func(*timings)
}

// Kinds of judgement.
const (
	Exactly = "exactly" // on counts
	ByTime  = "by time" // on raw files
	ByBoth  = "exactly and by time"
)

//go:embed claims.txt
var claimsText string

// Digest returns the digest of claims.txt. A raw file has the digest of the day when it was measured: if it is still the
// same, no threshold is younger than the times that it judges.
func Digest() string { return fmt.Sprintf("%x", sha256.Sum256([]byte(claimsText)))[:12] }

// All is every claim that is judged, and NotJudged what is not, in the order of claims.txt.
var All, NotJudged = parseClaims(claimsText)

// LeftOut is a group of claims that are not judged, and why.
type LeftOut struct {
	IDs   []string
	Why   string
	Tests bool // they hold by construction, and are tests
}

// parseClaims parses claims.txt. It panics on a mistake in the embedded text, which the package's first test finds.
func parseClaims(text string) (judged []Claim, left []LeftOut) {
	for _, s := range stanzas(text) {
		c := Claim{ID: s.Get("ID"), Whose: Whose(s.Get("Whose")), Scheme: s.Get("Scheme"), Source: s.Get("Source"),
			Sentence: s.Get("Claim"), Assumes: s.Get("Assumes"), Measure: s.Get("Measure"), Remark: s.Get("Remark"),
			Instead: s.Get("Instead"), Figure: s.Get("Figure")}
		if why := s.Get("Not-Judged"); why != "" {
			left = append(left, LeftOut{strings.Split(c.ID, ", "), why, s.Get("Tests") != ""})
			continue
		}
		lines, err := parseLines(s.Get("Checks"))
		if err != nil {
			panic(fmt.Sprintf("claims: %s: %v", c.ID, err))
		}
		for _, l := range lines {
			if l.ops != "" {
				c.timed = append(c.timed, func(t *timings) { t.line(l) })
			} else {
				c.counted = append(c.counted, func(counts *counter) { counts.line(l) })
			}
		}
		if check, ok := countChecks[c.ID]; ok {
			c.counted = append(c.counted, check)
		}
		if check, ok := timeChecks[c.ID]; ok {
			c.timed = append(c.timed, func(t *timings) {
				if t.choice == nil {
					t.missing = t.whyNoChoice
					return
				}
				check(t)
			})
		}
		judged = append(judged, c)
	}
	return judged, left
}

// stanza holds the texts of one claim or figure, by key.
type stanza = textproto.MIMEHeader

// stanzas parses stanzas of "Key: value" lines, separated by blank lines; a line that begins
// with a space continues a value, and one with # is a comment. It panics on a mistake.
func stanzas(text string) (all []stanza) {
	text = regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(text, "")
	reader := textproto.NewReader(bufio.NewReader(strings.NewReader(strings.TrimSpace(text) + "\n\n")))
	for {
		header, err := reader.ReadMIMEHeader()
		if len(header) > 0 {
			all = append(all, header)
		}
		if err == io.EOF {
			return all
		}
		if err != nil {
			panic(fmt.Sprintf("claims: stanza %d: %v", len(all), err))
		}
	}
}

// Find returns the claim of this id, whatever its case, or an error that says why it is not judged.
func Find(id string) (Claim, error) {
	var ids []string
	for _, c := range All {
		if strings.EqualFold(c.ID, id) {
			return c, nil
		}
		ids = append(ids, c.ID)
	}
	for _, l := range NotJudged {
		if slices.ContainsFunc(l.IDs, func(left string) bool { return strings.EqualFold(left, id) }) {
			return Claim{}, fmt.Errorf("claim %q is not judged: %s", id, l.Why)
		}
	}
	return Claim{}, fmt.Errorf("unknown claim %q (have %s)", id, strings.Join(ids, ", "))
}

// Result is a claim judged.
type Result struct {
	Claim
	Verdict Verdict  `json:"verdict"`
	Points  []*Point `json:"comparisons"`
	Missing string   `json:"missing,omitempty"` // what was not measured; the verdict says whether it matters
	Judged  string   `json:"judged"`            // by what kind of judgement
	Instead string   `json:"instead,omitempty"` // what holds instead, if the claim fails
}

// Deciding returns the comparison that the verdict rests on, which is the first with
// that verdict, and whether there is one.
func (r Result) Deciding() (*Point, bool) {
	i := slices.IndexFunc(r.Points, func(p *Point) bool { return p.Verdict() == r.Verdict })
	if i < 0 {
		return &Point{What: "nothing", Measured: unknown, Predicted: math.NaN()}, false
	}
	return r.Points[i], true
}

// Parts returns the texts of the claim that go with its sentence, each with its name: all, or the texts of these names.
func (r Result) Parts(names ...string) [][2]string {
	parts := [][2]string{{"assumes", r.Assumes}, {"measure", r.Measure}, {"instead", r.Instead}, {"missing", r.Missing},
		{"remark", r.Remark}}
	return slices.DeleteFunc(parts, func(part [2]string) bool {
		return part[1] == "" || len(names) > 0 && !slices.Contains(names, part[0])
	})
}

// judge makes the claim's counted runs and reads its times. An error says that a run went wrong,
// not that a claim fails. Without all its times, the verdict can be that the claim fails, but not that it holds.
func (c Claim) judge(times map[string]*timings) (Result, error) {
	r := Result{Claim: c, Judged: ByBoth}
	switch {
	case c.timed == nil:
		r.Judged = Exactly
	case c.counted == nil:
		r.Judged = ByTime
	}
	counts, err := count(c.counted...)
	r.Points = append([]*Point{}, counts.points...) // without a comparison an empty list in JSON
	r.Verdict = verdictOf(r.Points)
	if err != nil || c.timed == nil || r.Verdict == Fails { // what fails by its counts needs no times
		return r, err
	}
	t := times[r.ID]
	r.Points = append(r.Points, t.points...)
	r.Verdict = verdictOf(r.Points)
	if why := cmp.Or(t.missing, t.note); why != nil && len(t.Keys) == 0 {
		r.Missing = "times: give raw files"
	} else if why != nil {
		r.Missing = why.Error()
	}
	switch {
	case r.Verdict == Fails, t.missing == nil && slices.ContainsFunc(r.Points, (*Point).decides):
	case !t.measured():
		r.Verdict = NotMeasured
	case t.missing != nil && r.Verdict == Holds:
		r.Verdict = Undecided
	}
	return r, nil
}

// JudgeAll judges claims, several at once, and returns the results in their order; after an error or an interrupt,
// the results so far. It calls done with the number of claims judged.
func JudgeAll(ctx context.Context, list []Claim, t *results.Table, done func(int)) ([]Result, error) {
	var mutex sync.Mutex
	times := timed(t)
	count := 0
	return parallel(ctx, len(list), func(i int) (Result, error) {
		r, err := list[i].judge(times)
		if r.Verdict == Fails {
			r.Instead = r.Claim.Instead
		}
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
	all, errs := make([][]T, n), make([]error, n, n+1) // each of one result or none
	places := make(chan bool, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i := 0; i < n && ctx.Err() == nil; i++ {
		places <- true
		group.Go(func() {
			x, err := do(i)
			if errs[i] = err; err == nil {
				all[i] = []T{x}
			}
			<-places
		})
	}
	group.Wait()
	return slices.Concat(all...), errors.Join(append(errs, ctx.Err())...)
}

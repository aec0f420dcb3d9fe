// Package claims judges what the paper says. A claim is a sentence, the
// comparisons that it stands or falls by, each a prediction, a measurement and the
// tolerance between them, and a verdict.
//
// Claims about counts are judged on runs of the virtual clock made for them: the
// same on every machine, in seconds. Claims about times are judged on raw files of
// package run, and undecided without them. A few are judged by argument alone.
//
// Claims are one list, in claims.txt; those of the authors, of later articles and our own are counted
// apart. Most are judged by lines there: of Counts (counts.go; the words of a run are in runs.go) and
// of Times (compare.go). The others have a check in Go, in the file of their part of the paper, on
// counted runs (lab.go) or on raw files (timings.go). The choice between schemes 6 and 7 is a study of
// its own (choice*.go), and so are the figures (draw*.go).
package claims

// Verdict is the outcome of judging a claim.
type Verdict string

// Verdicts.
const (
	Holds     Verdict = "HOLDS"
	Fails     Verdict = "FAILS"
	Undecided Verdict = "UNDECIDED"
	Reported  Verdict = "REPORTED" // of another machine or program, which nothing here can refute
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
	ID       string `json:"id"` // in the analysis; a trailing x, y or z marks a form that we derived
	Whose    Whose  `json:"whose"`
	Scheme   string `json:"scheme"` // the schemes it is about: names, or "all"
	Source   string `json:"source"` // a section of the paper, "derived", an article
	Sentence string `json:"claim"`
	Assumes  string `json:"assumes,omitempty"`
	Measure  string `json:"measure,omitempty"` // what the check makes of it
	Remark   string `json:"remark,omitempty"`
	Instead  string `json:"-"`                // what holds instead if the claim fails
	Figure   string `json:"figure,omitempty"` // the figure that shows it, without the format

	// Of a claim judged by argument.
	Argument string  `json:"argument,omitempty"`
	Argued   Verdict `json:"-"`

	// Of the others, what makes the comparisons: the lines of claims.txt, then a check in Go.
	counted []func(*lab)
	timed   []func(*timings)
}

// Kinds of judgement.
const (
	Exactly    = "exactly" // on counts
	ByTime     = "by time" // on raw files
	ByBoth     = "exactly and by time"
	ByArgument = "by argument"
)

// Judged returns how the claim is judged.
func (c Claim) Judged() string {
	switch {
	case c.Argument != "":
		return ByArgument
	case c.timed == nil:
		return Exactly
	case c.counted == nil:
		return ByTime
	}
	return ByBoth
}

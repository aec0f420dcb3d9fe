package claims

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"net/textproto"
	"regexp"
	"strings"
)

//go:embed claims.txt
var claimsText string

// All is every claim that is judged, and NotJudged what is not, in the order of claims.txt.
var All, NotJudged = parseClaims(claimsText, modelChecks, treeChecks, wheelChecks, hashedChecks,
	hierarchyChecks, precisionChecks, choosingChecks, assistChecks, adviceChecks, calloutChecks, articleChecks)

// LeftOut is a claim, or a group of them, that is not judged, and why.
type LeftOut struct{ ID, Why string }

// checks are the checks of claims, by identifier.
type checks map[string]check

// check makes the comparisons by which a claim stands or falls: those of counted runs,
// those of times, or both.
type check struct {
	counted func(*lab)
	timed   func(*timings)
}

// parseClaims parses claims.txt.
func parseClaims(text string, all ...checks) (judged []Claim, left []LeftOut) {
	for _, s := range stanzas(text) {
		c := Claim{ID: s.Get("ID"), Whose: Whose(s.Get("Whose")), Scheme: s.Get("Scheme"), Source: s.Get("Source"),
			Sentence: s.Get("Claim"), Assumes: s.Get("Assumes"), Measure: s.Get("Measure"), Remark: s.Get("Remark"),
			Instead: s.Get("Instead"), Figure: s.Get("Figure"),
			Argument: s.Get("Argument"), Argued: Verdict(s.Get("Verdict"))}
		if why := s.Get("Not-Judged"); why != "" {
			left = append(left, LeftOut{c.ID, why})
			continue
		}
		for _, some := range all {
			if found, ok := some[c.ID]; ok {
				c.check = found
			}
		}
		c.addLines(s.Get("Counts"), s.Get("Times"))
		judged = append(judged, c)
	}
	return judged, left
}

// addLines adds the lines of a stanza's Counts and Times to the check. It panics on a mistake in
// the embedded text, as stanzas does.
func (c *check) addLines(counts, times string) {
	counted, timed := c.counted, c.timed
	if lines := parseLines(counts, parseCount); len(lines) > 0 {
		c.counted = func(l *lab) {
			for _, one := range lines {
				l.counts(one)
			}
			if counted != nil {
				counted(l)
			}
		}
	}
	if lines := parseLines(times, parseComparison); len(lines) > 0 {
		c.timed = func(t *timings) {
			for _, one := range lines {
				t.compare(one)
			}
			if timed != nil {
				timed(t)
			}
		}
	}
}

func parseLines[L any](text string, parse func(string) (L, error)) (all []L) {
	for line := range strings.SplitSeq(text, ";") {
		if line == "" {
			continue
		}
		one, err := parse(line)
		if err != nil {
			panic("claims: " + err.Error())
		}
		all = append(all, one)
	}
	return all
}

// stanza holds the texts of one claim or figure, by key.
type stanza = textproto.MIMEHeader

// stanzas parses stanzas of "Key: value" lines, separated by blank lines; a line that begins
// with a space continues a value, and one with # is a comment. It panics on a mistake in the
// embedded text, which the package's first test finds.
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

// Find returns the claim of this id, whatever its case, or an error that lists what
// there is.
func Find(id string) (Claim, error) {
	var ids []string
	for _, c := range All {
		if strings.EqualFold(c.ID, id) {
			return c, nil
		}
		ids = append(ids, c.ID)
	}
	return Claim{}, fmt.Errorf("unknown claim %q (have %s)", id, strings.Join(ids, ", "))
}

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
var All, NotJudged = parseClaims(claimsText)

// Checks that no line of claims.txt can express, by the claim's identifier.
var (
	countChecks = []map[string]func(*lab){modelChecks, wheelChecks, hashedChecks, hierarchyChecks, precisionChecks,
		choosingChecks}
	timeChecks = map[string]func(*timings){
		"M-11": vaxProgram,
		"H-11": vaxProgram,
		"V-6":  onChoice(boundDecides),
		"V-7":  onChoice(stepsCost),
	}
)

// LeftOut is a claim, or a group of them, that is not judged, and why.
type LeftOut struct{ ID, Why string }

// parseClaims parses claims.txt.
func parseClaims(text string) (judged []Claim, left []LeftOut) {
	for _, s := range stanzas(text) {
		c := Claim{ID: s.Get("ID"), Whose: Whose(s.Get("Whose")), Scheme: s.Get("Scheme"), Source: s.Get("Source"),
			Sentence: s.Get("Claim"), Assumes: s.Get("Assumes"), Measure: s.Get("Measure"), Remark: s.Get("Remark"),
			Instead: s.Get("Instead"), Figure: s.Get("Figure"),
			Argument: s.Get("Argument"), Argued: Verdict(s.Get("Verdict"))}
		if why := s.Get("Not-Judged"); why != "" {
			left = append(left, LeftOut{c.ID, why})
			continue
		}
		for _, line := range parseLines(s.Get("Counts"), parseCount) {
			c.counted = append(c.counted, func(l *lab) { l.compare(line) })
		}
		for _, line := range parseLines(s.Get("Times"), parseComparison) {
			c.timed = append(c.timed, func(t *timings) { t.compare(line) })
		}
		for _, checks := range countChecks {
			if check, ok := checks[c.ID]; ok {
				c.counted = append(c.counted, check)
			}
		}
		if check, ok := timeChecks[c.ID]; ok {
			c.timed = append(c.timed, check)
		}
		judged = append(judged, c)
	}
	return judged, left
}

// parseLines parses lines separated by ";". It panics on a mistake in the embedded text, as stanzas
// does.
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

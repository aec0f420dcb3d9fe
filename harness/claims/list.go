package claims

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"net/textproto"
	"regexp"
	"strings"
)

//go:embed claims.txt
var claimsText string

// All is every claim that is judged, in the order of claims.txt.
var All = parseClaims(claimsText, merge(modelChecks, listChecks, treeChecks, wheelChecks, hashedChecks, hierarchyChecks,
	precisionChecks, choosingChecks, assistChecks, adviceChecks, articleChecks, serviceChecks))

// checks are the checks of claims, by identifier.
type checks map[string]check

// check makes the comparisons by which a claim stands or falls: those of counted runs,
// those of times, or both.
type check struct {
	counted func(*lab)
	timed   func(*timings)
}

func merge(all ...checks) checks {
	merged := checks{}
	for _, c := range all {
		maps.Copy(merged, c)
	}
	return merged
}

// parseClaims parses claims.txt.
func parseClaims(text string, all checks) (claims []Claim) {
	for _, s := range stanzas(text) {
		claims = append(claims, Claim{
			ID: s.Get("ID"), Scheme: s.Get("Scheme"), Source: s.Get("Source"), Sentence: s.Get("Claim"),
			Instead: s.Get("Instead"), Figure: s.Get("Figure"), check: all[s.Get("ID")],
		})
	}
	return claims
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

// LeftOut is a claim, or a group of them, that is not judged, and why.
type LeftOut struct{ ID, Why string }

// NotJudged lists what is left out.
var NotJudged = []LeftOut{
	{"M-1 to M-8", "definitions of the model, and what the other claims are measured in"},
	{"S1-2, S2-6", "what a record holds; bytes are measured in R-1"},
	{"S2-8, S2-9", "history, and a slip of the text"},
	{"S3-1", "names of trees"},
	{"D-1, D-5", "what simulators do"},
	{"S4-4, H-14", "judged by R-4; a remark on what amortised means"},
	{"A-1, A-5", "need a timer chip"},
	{"B-1, B-2, B-4 to B-9", "what BSD's kernels did before and since"},
	{"R-7, R-8", "what protocols and kernels did since"},
	{"Z-6, Z-9, Z-10, Z-11", "slips of articles that nothing here could measure"},
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

package claims

import (
	"fmt"
	"slices"
	"strings"
)

// All is every claim that is judged, in the order of the analysis: the model,
// schemes 1 to 7, hardware, recommendations, articles, and facilities on a real clock.
var All = slices.Concat(modelClaims, listClaims, treeClaims, wheelClaims, hashedClaims, hierarchyClaims, precisionClaims, choosingClaims,
	assistClaims, adviceClaims, articleClaims, facilityClaims)

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
	return Claim{}, fmt.Errorf("claim %q, allowed %s", id, strings.Join(ids, ", "))
}

package claims

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A claim without a check would be undecided for ever, and a check without a claim
// would never run.
func TestEveryClaimHasItsCheck(t *testing.T) {
	unused := map[string]bool{}
	for id := range timeChecks {
		unused[id] = true
	}
	for _, checks := range countChecks {
		for id := range checks {
			unused[id] = true
		}
	}
	seen := map[string]bool{}
	for _, c := range All {
		assert.False(t, seen[c.ID], "%s is listed twice", c.ID)
		seen[c.ID] = true
		assert.True(t, c.counted != nil || c.timed != nil || c.Argument != "", "%s has no check", c.ID)
		assert.NotEmpty(t, c.Scheme, c.ID)
		assert.NotEmpty(t, c.Source, c.ID)
		assert.NotEmpty(t, c.Sentence, c.ID)
		delete(unused, c.ID)
	}
	assert.Empty(t, unused, "checks without a claim")
	assert.Panics(t, func() { parseClaims("ID: X-1\nno key") })
}

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
	for _, c := range All {
		assert.True(t, c.counted != nil || c.timed != nil || c.Argument != "", "%s has no check", c.ID)
		delete(unused, c.ID)
	}
	assert.Empty(t, unused, "checks without a claim")
	assert.Panics(t, func() { parseClaims("ID: X-1\nno key") })
}

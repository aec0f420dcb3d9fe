package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What Write writes is read again, with what was added by hand, and the page shows it.
func TestTimers(t *testing.T) {
	one := &Library{Name: "heapq", Version: "3.11", Date: "2026-11-28", Rules: []RuleOf{
		{"exact", "kept, 7 programs", nil},
		{"stop", Broken, []string{"it did not stop", "> new", "< ok", "> stop 1", "< yes"}},
		{"restart", "not promised: restart", nil},
	}, Notes: []string{"Its documentation says: see [there](https://example.org)."}}
	two := &Library{Name: "other", Version: "1", Date: "2026-11-27", Rules: []RuleOf{{"exact", "kept, 1 program", nil}}}
	var text strings.Builder
	require.NoError(t, one.Write(&text))
	require.NoError(t, two.Write(&text))
	all, err := ReadTimers("# a comment\n" + text.String())
	require.NoError(t, err)
	assert.Equal(t, []*Library{one, two}, all)
	checked, broken := one.Count()
	assert.Equal(t, []int{2, 1}, []int{checked, broken})

	page := TimersPage(all, "bench verify").Markdown(".")
	assert.Contains(t, page, "| stop | **no** |  |")
	assert.NotContains(t, page, "| restart |", "a rule that no library promises has no row")
	assert.Contains(t, page, "2 libraries were checked")
	assert.Contains(t, page, "### heapq: stop\n\nit did not stop.\n\n    > new\n    < ok\n    > stop 1\n    < yes\n")
	assert.Contains(t, page, one.Notes[0])
	assert.Contains(t, page, "- other 1, checked on 2026-11-27")

	for text, want := range map[string]string{
		"exact kept":               `line 1, "exact kept": not a library`,
		"heapq 1, 2026-11-28\n\tx": `line 2, "\tx": not of a rule`,
	} {
		_, err := ReadTimers(text)
		assert.ErrorContains(t, err, want)
	}
}

package picks

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"timerlab/harness/report"
	"timerlab/systems/load"
)

// The page has a row for each program, and a break-even for each number of connections.
func TestResetsPage(t *testing.T) {
	resets := func(n, perTimeout int, stored float64) load.Resets {
		all := services(20, 10, 0)
		all[2].Name, all[2].Woken = "stored time", shareOf(stored, stored)
		awake := shareOf(stored, 40)
		all[2].Awake = &awake
		return load.Resets{N: n, PerTimeout: perTimeout, Costs: load.Costs{Turns: 5, Std: all[0], Others: all[1:]}}
	}
	page := ResetsPage([]load.Resets{resets(10_000, 1, 30), resets(10_000, 10, 5), resets(200_000, 1, 20)}, 30*time.Second, "again")
	assert.Contains(t, page.Findings, "in a timeout: woken, 10k connections: more up to 1, less from 10 on; woken, 200k connections: neither; "+
		"awake, 10k connections: more up to 1, and never less; awake, 200k connections: neither.")
	text := written(t, page, report.Markdown)
	assert.Contains(t, text, "| 10k | 10 | 3,330 | woken | 5 | 2 (2 to 2) | 0.5 (0.5 to 0.5) | 1 (1 to 1) |\n")
	assert.Contains(t, text, "| 200k | 1 | 7,090 | awake | 5 | 2 (2 to 2) | 3 (2 to 4) | 1 (1 to 1) |\n")
}

package grade

// Stages are all stages in their order. Each rule of the contract is in one of them, and growth besides. A
// stage looks only at the methods that it is about, so that a wrong Counts costs nothing
// in the others. The last one looks at all of them.
var Stages = []Stage{
	{
		Name: "A", Title: "the clock", Points: 20, Hours: 2, Key: "exact", part: four,
		Advice: "`Info`, then `Start` and `PerTick`, and `Expire` as far as it hands out what is due. The first " +
			"rule wants a Title and a Doc.",
		Rules: []string{
			"info", "range", "exact", "exact-clock", "interval-zero", "interval-clock", "clock-stops",
		},
	},
	{
		Name: "B", Title: "stopping", Points: 20, Hours: 2, Key: "stop", part: four,
		Advice: "`Stop`, and handles that never name another timer.",
		Rules: []string{
			"stop", "stop-due", "stop-stale", "stop-foreign", "handle-unique", "exact-long", "interval-range",
		},
	},
	{
		Name: "C", Title: "expiry", Points: 15, Hours: 2, Key: "expire", part: four,
		Advice: "`Expire`, also while an action starts timers, stops timers or panics.",
		Rules: []string{
			"expire", "same-id", "stop-sibling", "expire-forgets", "expire-start", "expire-panic", "panic", "hang",
			"pertick-number",
		},
	},
	{
		Name: "D", Title: "looking inside", Points: 5, Hours: 1, Key: "len", part: looking,
		Advice: "`Len`, `Check` and `String`.",
		Rules:  []string{"interfaces", "len", "check", "string"},
	},
	{
		Name: "E", Title: "counting operations", Points: 10, Hours: 1, Key: "counts-visits", part: counting,
		Advice: "`Counts`. The comments of `schemes.Counts` say what is counted.",
		Rules: []string{
			"counts-links", "counts-grow", "counts-still", "counts-visits", "counts-empty", "counts-compares",
			"counts-migrations",
		},
	},
	{
		Name: "F", Title: "long runs and memory", Points: 10, Hours: 1.5, Key: "volume", part: four,
		Advice: "Many timers, nothing allocated once the scheme has its size, `Capacity` allocated ahead.",
		Rules:  []string{"volume", "handle-reuse", "handle-peak", "memory", "allocation", "capacity-ahead"},
	},
	{
		Name: "G", Title: "constant time", Points: 10, Hours: 0.5, Key: "growth",
		Advice: "No operation walks over all timers or all slots.",
		Rules:  []string{"growth"},
	},
	{
		Name: "H", Title: "everything together", Points: 10, Hours: 1, Key: "model",
		Advice: "Random operations with all methods, and sizes that `New` must refuse. Methods that you add, such as " +
			"`Next`, `Restart` or `Advance`, are not required, but they must be right.",
		Rules: []string{
			"deterministic", "separate", "config-default", "config-rejected", "config-ignored", "config-copied",
			"model", "error-text", "bound", "bound-tight", "next", "next-event", "view", "advance-steps-over",
			"advance", "restart", "id", "held",
		},
	},
}

package claims

import (
	"timerlab/harness"
	"timerlab/schemes"
)

// The paper's recommendations (section 7), each as a decision that a measurement
// can confirm or refute.

var adviceChecks = checks{
	"R-1": {counted: func(l *lab) {
		const n = 10_000
		of := func(info *schemes.Info) float64 { return float64(info.Bytes(n, schemes.Config{Capacity: n})) / n }
		least := harness.Schemes[0]
		for _, info := range harness.Schemes[1:7] {
			l.counted(of(least), of(info), "bytes held for each of %d timers, %s; at least those of %s", n, info.Name,
				least.Name).as(AtLeast)
		}
	}},
}

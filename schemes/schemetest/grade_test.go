package schemetest_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/schemetest"
	"timerlab/teach/lab/grade"
)

// A scheme with a fault loses points, and the rule that it breaks is named.
func TestPlantedFaultsCostPoints(t *testing.T) {
	for i, p := range schemetest.PlantedFaults() {
		if testing.Short() && i%16 != 3 {
			continue
		}
		t.Run(p.Fault, func(t *testing.T) {
			if !costs(p) {
				t.Errorf("no stage lost points for the rule %s", p.Rule)
			}
		})
	}
}

// costs reports whether a stage loses points under the rule. The stage that has it comes first, with this rule alone.
func costs(p schemetest.Planted) bool {
	stages := slices.Clone(grade.Stages)
	own := stages[slices.IndexFunc(stages, func(s grade.Stage) bool { return slices.Contains(s.Rules, p.Rule) })]
	own.Rules = []string{p.Rule}
	stages = append([]grade.Stage{own}, stages...)
	named := false
	for i := 0; i < len(stages) && !named; i++ {
		stages[i].Check(p.Info, grade.Options{Patience: time.Minute}, func(r grade.Result) { // for a busy machine
			named = named || r.Violation != nil && r.Violation.Rule == p.Rule
		})
	}
	return named
}

// A wheel of another size by default accepts the same intervals, and visits other timers.
func TestWrongDefaultIsRejected(t *testing.T) {
	info := hashunsorted.Info
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		cfg.Slots = cmp.Or(cfg.Slots, schemes.DefaultSlots/2)
		return hashunsorted.Info.New(cfg)
	}
	err := grade.Rule("config-default").Verify(&info, false, false, grade.Patience)
	assert.ErrorContains(t, err, "with the zero Config")
}

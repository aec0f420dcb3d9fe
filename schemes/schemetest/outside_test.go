package schemetest_test

import (
	"cmp"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/adapter"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/schemetest"
	"timerlab/teach/lab/grade"
)

// The test binary is an adapter of the reference with this fault.
const servedFault = "TIMERLAB_TEST_FAULT"

func TestMain(m *testing.M) {
	fault := os.Getenv(servedFault)
	if fault == "" {
		os.Exit(m.Run())
	}
	for _, p := range schemetest.PlantedFaults() {
		if p.Fault == fault {
			if err := adapter.Serve(os.Stdin, os.Stdout, p.Info, "1"); err != nil {
				panic(err)
			}
		}
	}
}

// hiddenOutside are faults of what cannot be asked from outside: handles that are no timer's, as an adapter names timers
// itself, String and Check, a Capacity, and the sizes of the reference.
var hiddenOutside = map[string]bool{
	"zero handle stopped": true, "foreign handle panics": true, "String panics when empty": true, "Check changes the order": true,
	"negative capacity accepted": true, "slots unlimited": true,
}

// What breaks a rule that can be seen from outside is found there, too.
func TestFaultsAreSeenFromOutside(t *testing.T) {
	found := 0
	for _, p := range schemetest.PlantedFaults() {
		if !p.Outside || hiddenOutside[p.Fault] {
			continue
		}
		found++
		t.Run(p.Fault, func(t *testing.T) {
			t.Parallel()
			a, err := adapter.Open(t.Context(), "env", servedFault+"="+p.Fault, os.Args[0])
			require.NoError(t, err)
			defer a.Close()
			v := schemetest.CheckOutside(a.Info(), a.Promises, p.Rule, time.Minute)
			if v.Violation == nil { // in process, it is found by another rule's program
				v = schemetest.CheckOutside(a.Info(), a.Promises, "model", time.Minute)
			}
			require.NotNil(t, v.Violation)
			assert.NotEmpty(t, v.Violation.Trail)
		})
	}
	assert.Greater(t, found, 20)
}

// A scheme with a fault loses points, and the rule that it breaks is named.
func TestPlantedFaultsCostPoints(t *testing.T) {
	for i, p := range schemetest.PlantedFaults() {
		if testing.Short() && i%16 != 3 {
			continue
		}
		t.Run(p.Fault, func(t *testing.T) {
			// The stage that has the rule comes first, with this rule alone.
			own := grade.Stages[slices.IndexFunc(grade.Stages, func(s grade.Stage) bool { return slices.Contains(s.Rules, p.Rule) })]
			own.Rules = []string{p.Rule}
			stages, named := append([]grade.Stage{own}, grade.Stages...), false
			for i := 0; i < len(stages) && !named; i++ {
				stages[i].Check(p.Info, grade.Options{Patience: time.Minute}, func(r grade.Result) { // for a busy machine
					named = named || r.Violation != nil && r.Violation.Rule == p.Rule
				})
			}
			assert.True(t, named, "no stage lost points for the rule %s", p.Rule)
		})
	}
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

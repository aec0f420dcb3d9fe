package schemetest_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/adapter"
	"timerlab/schemes"
	"timerlab/schemes/schemetest"
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
		if !schemetest.SeenOutside(p.Rule) || hiddenOutside[p.Fault] {
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

// A timer is due after as many ticks as there are slots.
type bySlots struct {
	schemes.Scheme
	left int
}

func (b *bySlots) Start(schemes.Tick, schemes.ID) (schemes.Handle, error) { return 1, nil }

func (b *bySlots) PerTick() (due int) {
	if b.left--; b.left == 0 {
		due = 1
	}
	return due
}

// When a timer is due alone is remembered, but not beyond the sizes that it was found with.
func TestAloneDependsOnTheSizes(t *testing.T) {
	asked := 0
	info := &schemes.Info{New: func(cfg schemes.Config) (schemes.Scheme, error) {
		asked++
		return &bySlots{left: cfg.Slots}, nil
	}}
	assert.Equal(t, []schemes.Tick{3, 5, 3}, schemetest.AloneOutside(info, 10, 3, 5, 3))
	assert.Equal(t, 2, asked)
}

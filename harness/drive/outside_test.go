package drive_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/adapter"
	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// The test binary is an adapter of a scheme with this fault.
const servedFault = "TIMERLAB_TEST_FAULT"

func TestMain(m *testing.M) {
	fault, is := faults[os.Getenv(servedFault)]
	if !is {
		os.Exit(m.Run())
	}
	info := *harness.Schemes[5]
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := harness.Schemes[5].New(cfg)
		return &planted{Scheme: s, fault: fault, at: 4}, err
	}
	if err := adapter.Serve(os.Stdin, os.Stdout, &info, "1"); err != nil {
		panic(err)
	}
}

// What the drive rejects, `bench verify` does, but for what a scheme says of itself.
func TestFaultsAreSeenFromOutside(t *testing.T) {
	for name := range faults {
		if name == "Len is one more" || name == "Len is one less" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := adapter.Open(t.Context(), "env", servedFault+"="+name, os.Args[0])
			require.NoError(t, err)
			defer a.Close()
			verdicts, err := a.Verify(t.Context(), false, 2*time.Second, func(int, int, string) {})
			require.NoError(t, err)
			assert.True(t, slices.ContainsFunc(verdicts, func(v schemetest.Verdict) bool { return v.Violation != nil }))
		})
	}
}

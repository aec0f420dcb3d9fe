package schemetest

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// The sound reference passes, bare and with the optional operations, with the range of every kind of scheme; and so
// does one that trades precision, stops lazily, or is not in the paper and has the four operations only.
func TestReferencePasses(t *testing.T) {
	Run(t, extendedInfo(7, ""))
	RunAllocating(t, referenceInfo(2, "allocates"))
	for _, info := range []*schemes.Info{coarseInfo(""), lazyInfo(""), eighthInfo(0)} {
		require.NoError(t, VerifyShort(info))
	}
	if testing.Short() {
		return
	}
	for _, number := range []int{2, 4, 7} {
		require.NoError(t, VerifyShort(referenceInfo(number, "")))
		require.NoError(t, VerifyShort(extendedInfo(number, "")))
	}
}

func FuzzReference(f *testing.F) { Fuzz(f, extendedInfo(7, "")) }

// TestRunFailsBrokenScheme runs itself in another process, where Run meets a
// broken scheme: the test must fail there, by the rule's subtest.
func TestRunFailsBrokenScheme(t *testing.T) {
	const variable = "SCHEMETEST_BROKEN"
	if f := os.Getenv(variable); f != "" {
		Run(t, referenceInfo(2, fault(f)))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.short", "-test.run=^TestRunFailsBrokenScheme$/^stop")
	cmd.Env = append(os.Environ(), variable+"=due timer not stoppable")
	out, err := cmd.CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(out), "--- FAIL: TestRunFailsBrokenScheme/stop-due")
	assert.Contains(t, string(out), "A due timer that is not yet handed out can be stopped.")
}

func TestRulesAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		assert.Regexp(t, `^[a-z][a-z0-9-]*$`, r.Name)
		assert.Regexp(t, `^[A-Z].*\.$`, r.Sentence, r.Name)
		assert.NotNil(t, r.check, r.Name)
		assert.False(t, seen[r.Name], r.Name)
		seen[r.Name] = true
	}
	for _, b := range broken {
		assert.True(t, seen[b.rule], b.rule)
	}
}

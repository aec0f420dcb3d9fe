package schemetest

import (
	"os"
	"os/exec"
	"slices"
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
func FuzzCoarse(f *testing.F)    { Fuzz(f, coarseInfo("")) }

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

// A known minimal case among much else: the third timer, in the action of the first, and one tick.
func TestShrinkFindsMinimum(t *testing.T) {
	w := &program{}
	for range 40 {
		w.start(5, w.later(6), op{verb: opPanic})
		w.tick(3)
		w.stop(w.last)
	}
	key := w.start(77, w.later(1), stopping(3), w.later(2))
	for range 40 {
		w.tick(2)
		w.expire()
	}
	fails := func(p program) bool {
		found, ticks := false, schemes.Tick(0)
		for _, o := range p.ops {
			found = found || o.label == key && slices.ContainsFunc(o.action, func(a op) bool { return a.verb == opStop })
			if found && o.verb == opPerTick {
				ticks += o.ticks
			}
		}
		return ticks >= 9
	}
	require.True(t, fails(*w))
	p := shrink(*w, fails)
	require.Len(t, p.ops, 2)
	assert.Equal(t, []op{stopping(3)}, p.ops[0].action)
	assert.Equal(t, schemes.Tick(1), p.ops[0].ticks)
	assert.Equal(t, op{verb: opPerTick, ticks: 9}, p.ops[1])
}

// When a timer is due alone is remembered, but not beyond the sizes that it was found with.
func TestAloneDependsOnTheSizes(t *testing.T) {
	asked := 0
	info := wrapped(6, "", func(r *reference, of setting) schemes.Scheme {
		asked++
		r.rounded = func(schemes.Tick) schemes.Tick { return schemes.Tick(of.cfg.Slots) }
		return r
	})
	o := &outside{info: info, alone: map[string]alone{}}
	for _, slots := range []int{3, 5, 3} {
		ticks, due := o.dueAlone(withSlots(info, slots)[0], 10, 10)
		assert.True(t, due)
		assert.Equal(t, schemes.Tick(slots), ticks)
	}
	assert.Equal(t, 2, asked)
}

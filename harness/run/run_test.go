package run

import (
	"testing"
	"time"

	"timerlab/harness/drive"
	"timerlab/harness/results"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// resultsOf runs a scheme on a workload once.
func resultsOf(t *testing.T, mode Mode, info *schemes.Info, spec workload.Spec) (map[string]results.Result, *workload.Trace) {
	t.Helper()
	trace, err := spec.Trace()
	require.NoError(t, err)
	all, err := runOnce(mode, NewSubject(info, 64, 1), trace, ClockQuality{Resolution: 1})
	require.NoError(t, err)
	rows := map[string]results.Result{}
	for _, r := range all {
		rows[results.ParseKey(r.Name).Op] = r
	}
	return rows, trace
}

// sleepy is a scheme whose every tick takes a known time at least.
func sleepy(tick time.Duration) *schemes.Info {
	info := *seven[5]
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := seven[5].New(cfg)
		return &sleeping{s, tick}, err
	}
	return &info
}

type sleeping struct {
	schemes.Scheme
	tick time.Duration
}

func (s *sleeping) PerTick() int {
	for begun := drive.Clock(); drive.Clock()-begun < s.tick; {
	}
	return s.Scheme.PerTick()
}

// A lifetime's time is the run's by the timers that ended in it; a tick's is its
// own. What is measured is no less than what was spent, and no more than passed.
func TestTimesAreByOperation(t *testing.T) {
	const tick, ticks = 100 * time.Microsecond, 50
	spec := workload.Spec{N: 20, T: 10, Ticks: ticks}
	for mode, want := range map[Mode]struct {
		op    string
		iters int
	}{Lifetimes: {"Lifetime", 100}, Operations: {"PerTick", ticks}} {
		begun := drive.Clock()
		rows, _ := resultsOf(t, mode, sleepy(tick), spec)
		passed := drive.Clock() - begun
		r := rows[want.op]
		assert.Equal(t, want.iters, r.Iters, want.op)
		ns, _ := value(r, results.NsPerOp)
		assert.GreaterOrEqual(t, ns*float64(r.Iters), 0.999*ticks*float64(tick), want.op)
		assert.LessOrEqual(t, ns*float64(r.Iters), 1.001*float64(passed), want.op)
	}
}

// The bytes are the scheme's: a record of 32 for a timer, without the harness's
// handles.
func TestMemoryIsTheSchemesAlone(t *testing.T) {
	rows, _ := resultsOf(t, Operations, seven[0], workload.Spec{N: 200_000, T: 100, Ticks: 10})
	bytes, _ := value(rows["Memory"], results.BytesPerTimer)
	assert.InDelta(t, 34, bytes, 3)
}

package run_test

import (
	"testing"

	"timerlab/harness/run"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/schemes"
)

// bounded reports whether a scheme trades precision.
func bounded(t *testing.T, info *schemes.Info) bool {
	t.Helper()
	s, err := info.New(schemes.Config{})
	require.NoError(t, err)
	_, ok := s.(schemes.Bounder)
	return ok
}

// coarse is a scheme of the registry that trades precision, with a fault in what it
// promises or does.
type coarse struct {
	schemes.Scheme
	early, late schemes.Tick // what Bound says less than the truth
	lose, twice bool         // one timer, at expiry
	deaf        bool         // the first stop of an outstanding timer is refused
	calls       int
}

func (c *coarse) Bound(interval schemes.Tick) (early, late schemes.Tick) {
	early, late = c.Scheme.(schemes.Bounder).Bound(interval)
	return early - min(early, c.early), late - min(late, c.late)
}

func (c *coarse) Len() int { return c.Scheme.(schemes.Sized).Len() }

func (c *coarse) Stop(h schemes.Handle) bool {
	if c.deaf {
		c.deaf = false
		return false
	}
	return c.Scheme.Stop(h)
}

func (c *coarse) Expire(action func(schemes.ID)) {
	c.Scheme.Expire(func(id schemes.ID) {
		c.calls++
		if c.calls == 5 && c.lose {
			return
		}
		action(id)
		if c.calls == 5 && c.twice {
			action(id)
		}
	})
}

// A bounded scheme passes within its bound, by all ways of watching; one that is
// later or earlier than it says, or loses a timer, or hands one out twice, or does
// not stop one, is refused.
func TestBoundedSchemesAreVerified(t *testing.T) {
	up, err := harness.Find("hierarchical-nomigrate")
	require.NoError(t, err)
	down, err := harness.Find("hierarchical-once")
	require.NoError(t, err)
	trace := kinds(t)["stops"]
	for way, watch := range ways {
		for _, info := range []*schemes.Info{up, down} {
			d, err := drive(newSmall(t, info, trace), trace, watch())
			assert.NoError(t, err, "%s, %s", info.Name, way)
			assert.Equal(t, trace.Want.Started, d.Outcome().Started)
			for _, fault := range []struct {
				coarse
				want string
			}{
				{coarse{early: 1, late: 1}, "its bound"},
				{coarse{lose: true}, ""}, // the others of its tick come on other ones
				{coarse{twice: true}, "twice"},
				{coarse{deaf: true}, "be stopped"},
			} {
				fault.Scheme = newSmall(t, info, trace)
				_, err := drive(&fault.coarse, trace, watch())
				assert.ErrorContains(t, err, fault.want, "%s, %s", info.Name, way)
			}
		}
	}
}

// However a run is divided, it comes to the same.
func TestRunInParts(t *testing.T) {
	for kind, trace := range kinds(t) {
		for _, name := range []string{"hashunsorted", "hierarchical-nomigrate"} {
			info, err := harness.Find(name)
			require.NoError(t, err)
			whole, parts := newSmall(t, info, trace), newSmall(t, info, trace)
			d, err := drive(whole, trace, nil)
			require.NoError(t, err)
			p := run.NewDrive(parts, trace)
			require.NoError(t, p.Fill())
			for tick := schemes.Tick(0); tick <= trace.Ticks; tick += 1 + tick/3 {
				require.NoError(t, p.RunTo(tick, nil))
				require.NoError(t, p.RunTo(tick/2, nil), "a tick that has passed")
			}
			require.NoError(t, p.RunTo(trace.Ticks, nil))
			require.NoError(t, p.Verify(), "%s, %s", name, kind)
			assert.Equal(t, d.Outcome(), p.Outcome(), "%s, %s", name, kind)
			assert.Equal(t, whole.(schemes.Counter).Counts(), parts.(schemes.Counter).Counts(), "%s, %s", name, kind)
			assert.ErrorContains(t, p.RunTo(trace.Ticks+1, nil), "past the end")
		}
	}
}

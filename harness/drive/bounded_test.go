package drive_test

import (
	"testing"

	"timerlab/harness/drive"

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

// However a run is divided, it comes to the same.
func TestRunInParts(t *testing.T) {
	for kind, trace := range kinds(t) {
		for _, name := range []string{"hashunsorted", "hierarchical-nomigrate"} {
			info, err := harness.Find(name)
			require.NoError(t, err)
			whole, parts := newSmall(t, info, trace), newSmall(t, info, trace)
			d, err := through(whole, trace, nil)
			require.NoError(t, err)
			p := drive.New(parts, trace)
			require.NoError(t, p.Fill())
			for tick := schemes.Tick(0); tick <= trace.Ticks; tick += 1 + tick/3 {
				require.NoError(t, p.RunTo(tick, nil, nil))
				require.NoError(t, p.RunTo(tick/2, nil, nil), "a tick that has passed")
			}
			require.NoError(t, p.RunTo(trace.Ticks, nil, nil))
			require.NoError(t, p.Verify(), "%s, %s", name, kind)
			assert.Equal(t, d.Outcome(), p.Outcome(), "%s, %s", name, kind)
			assert.Equal(t, whole.(schemes.Counter).Counts(), parts.(schemes.Counter).Counts(), "%s, %s", name, kind)
			assert.ErrorContains(t, p.RunTo(trace.Ticks+1, nil, nil), "past the end")
		}
	}
}

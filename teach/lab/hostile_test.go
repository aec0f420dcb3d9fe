package lab

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/teach/lab/grade"
)

// Attacks give no points and end in time. Those that do no harm cost none.
func TestHostile(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("attacks that are for Linux")
	}
	attacks, err := os.ReadFile("testdata/hostile.go.txt")
	require.NoError(t, err)
	m := student(t, solution(t))
	require.NoError(t, writeFile(filepath.Join(m.Module.Dir, "hostile.go"), attacks))
	defer func(all []string) { withKey = all }(withKey)
	withKey = nil // what it imports is another test's
	p, unbuilt, err := m.build(t.Context())
	require.NoError(t, err)
	require.Empty(t, unbuilt)
	const harmless = "Your scheme keeps every rule."
	for name, want := range map[string]string{
		"swap": "Info has no New or no Range", "remove": harmless, "folder": harmless, "fifo": harmless, "truncate": harmless,
		"fork": harmless, "leave": harmless, "stay": "took longer than 300ms", "kill": "took longer than 300ms",
		"close": "Your program ended before the first rule", "flood": "wrote more than 1 MiB",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one, limit := *p, time.Minute
			if one.name = name; want == "took longer than 300ms" {
				limit = 300 * time.Millisecond
			}
			began := time.Now()
			r, err := one.grade(t.Context(), grade.Options{Short: true}, limit, func(int, int, string) {})
			require.NoError(t, err)
			assert.Contains(t, text(t, r), want)
			assert.Less(t, time.Since(began), time.Minute)
			assert.Equal(t, want == harmless, r.Score > 0, "%d points", r.Score)
			for _, s := range r.Stages {
				assert.LessOrEqual(t, len(s.Output), keptOutput)
			}
		})
	}
}

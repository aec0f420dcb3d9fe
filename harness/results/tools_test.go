package results

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"timerlab/harness/results/units"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
)

// resultLine is what all other tools read, from their documentation and their handling of go test's output:
//   - github-action-benchmark skips, without an error, names with other characters, such as "@";
//   - gobenchdata separates fields by single tabs, and value and unit by one space;
//   - Bencher reads numbers without an exponent.
var resultLine = regexp.MustCompile(`^(Benchmark\w+[\w()$%^&*-=|,[\]{}"#]*)\t\d+(\t\d+(\.\d+)? [^ \t]+)+$`)

// Every line of a result is read by benchstat and by all other tools. gobenchdata reads suites, from a line goos: to a line
// PASS, which must come.
func TestOtherToolsReadWhatRawWrites(t *testing.T) {
	path := write(t, ThisMachine(), func(r *Raw) {
		require.NoError(t, r.Rounds(2))
		for round := range 2 {
			require.NoError(t, r.Round(round))
			require.NoError(t, r.Result(result("Lifetime/scheme=hierarchical/n=1k/m=60x24/stop=0.9/after=0.00001", 12.5, 3)))
			require.NoError(t, r.Result(result("Lifetime/service=time.AfterFunc/n=1k/load=busy", 1e21, 3e-9)))
			require.NoError(t, r.Result(Result{"Memory/scheme=a", 7, []benchfmt.Value{{Value: 1, Unit: units.BytesPerTimer}}}))
			require.NoError(t, r.Skip("Lifetime/scheme=b", Reason{TooSlow, "predicted to take " + time.Minute.String()}))
		}
	})
	paths, err := filepath.Glob("../testdata/results/machine/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range append(paths, path) {
		text := text(t, path)
		var want, names []string
		for reader := benchfmt.NewReader(strings.NewReader(text), path); reader.Scan(); {
			if r, ok := reader.Result().(*benchfmt.Result); ok {
				want = append(want, "Benchmark"+string(r.Name.Full()))
			}
		}
		suite := false
		for line := range strings.Lines(text) {
			switch {
			case strings.HasPrefix(line, "goos:"):
				suite = true
			case line == "PASS\n":
				suite = false
			case suite && strings.HasPrefix(line, "Benchmark"):
				fields := resultLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
				require.NotNil(t, fields, line)
				names = append(names, fields[1])
			}
		}
		require.NotEmpty(t, want)
		assert.Equal(t, want, names, path)
		assert.False(t, suite, "%s: a suite without PASS", path)
	}
}

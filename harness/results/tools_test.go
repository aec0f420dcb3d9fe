package results

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"timerlab/harness/results/units"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
)

// Other tools read the Go benchmark format by grammars of their own. The three below
// are written from the tools' documentation and their handling of go test's output. A
// grammar returns the names of the benchmark lines that it reads, in order.
var tools = []struct {
	name string
	read func(t *testing.T, text string) []string
	unit string // of a line's first value, if the tool is documented to read no others
}{
	{"github-action-benchmark", readGitHubAction, ""},
	{"gobenchdata", readGobenchdata, ""},
	{"Bencher", readBencher, "ns/op"}, // it collects latencies only
}

// readGitHubAction skips, without an error, what does not match one expression: the name has word characters and a
// range of punctuation without "@", "<" and ">"; then a count and pairs of value and unit.
func readGitHubAction(t *testing.T, text string) (names []string) {
	line := regexp.MustCompile(`(?m)^(Benchmark\w+[\w()$%^&*-=|,[\]{}"#]*?)(-\d+)?[ \t]+(\d+)[ \t]+(.+)$`)
	for _, m := range line.FindAllStringSubmatch(text, -1) {
		assert.Zero(t, len(strings.Fields(m[4]))%2, m[0])
		names = append(names, m[1])
	}
	return names
}

// readGobenchdata reads suites: from a line goos: to a line PASS or FAIL, which must
// come. Fields are separated by single tabs, and value and unit by one space.
func readGobenchdata(t *testing.T, text string) (names []string) {
	suite := false
	for _, l := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(l, "goos:"):
			suite = true
		case strings.HasPrefix(l, "PASS"), strings.HasPrefix(l, "FAIL"):
			suite = false
		case suite && strings.HasPrefix(l, "Benchmark"):
			fields := strings.Split(l, "\t")
			require.Greater(t, len(fields), 2, l)
			_, err := strconv.Atoi(fields[1])
			require.NoError(t, err, l)
			for _, f := range fields[2:] {
				value, unit, _ := strings.Cut(f, " ")
				_, err := strconv.ParseFloat(value, 64)
				require.NoError(t, err, l)
				require.NotEmpty(t, unit, l)
			}
			names = append(names, fields[0])
		}
	}
	assert.False(t, suite, "a suite without PASS or FAIL is an error at the end of the file")
	return names
}

// readBencher reads a name without spaces, a count, a time per operation, and then nothing or another number.
func readBencher(t *testing.T, text string) (names []string) {
	line := regexp.MustCompile(`(?m)^([^ \t\n]+)[ \t]+\d+[ \t]+\d+(\.\d+)?[ \t]+(ns|µs|ms|s)/op([ \t]+[0-9.]+[ \t]+.*)?$`)
	for _, m := range line.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// checkTools demands that every tool reads every line of a raw file that it can.
func checkTools(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var rows []benchfmt.Result
	reader := benchfmt.NewReader(strings.NewReader(string(data)), path)
	for reader.Scan() {
		if r, ok := reader.Result().(*benchfmt.Result); ok {
			rows = append(rows, *r.Clone())
		}
	}
	require.NoError(t, reader.Err())
	require.NotEmpty(t, rows)
	for _, tool := range tools {
		var want []string
		for _, r := range rows {
			if tool.unit == "" || r.Values[0].OrigUnit == tool.unit {
				want = append(want, "Benchmark"+string(r.Name.Full()))
			}
		}
		assert.Equal(t, want, tool.read(t, string(data)), tool.name)
	}
}

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
	fixture, err := filepath.Glob("../testdata/results/machine/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, fixture)
	for _, path := range append(fixture, path) {
		t.Run(filepath.Base(path), func(t *testing.T) { checkTools(t, path) })
	}
}

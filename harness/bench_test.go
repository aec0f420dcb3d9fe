package harness

import (
	"flag"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/drive"
	"timerlab/harness/run"
	"timerlab/schemes"
)

var variants = flag.Bool("variants", false, "measure variants too")

// benched returns the base schemes, or all with -variants.
func benched() (infos []*schemes.Info) {
	for _, info := range Schemes {
		if info.IsBase() || *variants {
			infos = append(infos, info)
		}
	}
	return infos
}

// BenchmarkStart measures START_TIMER, in batches.
func BenchmarkStart(b *testing.B) { Bench(b, benched()...) }

// BenchmarkStop measures STOP_TIMER, in batches.
func BenchmarkStop(b *testing.B) { Bench(b, benched()...) }

// BenchmarkPerTick measures PER_TICK_BOOKKEEPING without EXPIRY_PROCESSING.
func BenchmarkPerTick(b *testing.B) { Bench(b, benched()...) }

// BenchmarkLifetime measures a whole workload, by timers that end in it: all four operations and the harness.
func BenchmarkLifetime(b *testing.B) { Bench(b, benched()...) }

// Every scheme can run the first workload, at some size.
func TestEverySchemeHasABenchmark(t *testing.T) {
	spec := benchWorkloads[0].spec
	spec.N, spec.Ticks = benchSizes[0].n, benchSizes[0].ticks
	trace, err := spec.Trace()
	require.NoError(t, err)
	for _, info := range append([]*schemes.Info{&drive.Null}, Schemes...) {
		s := run.NewSubject(info, benchWorkloads[0].slots, benchWorkloads[0].levels)
		assert.Empty(t, run.Limits{Run: time.Hour, Memory: 1 << 30}.Skip(s, trace), info.Name)
	}
}

// Where a text compares schemes of Bench by benchstat, it names the base: the first row is of the null scheme.
func TestTextsNameTheBase(t *testing.T) {
	for _, path := range []string{"bench.go", "README.md", "../schemes/README.md", "testdata/ninth/ninth_test.go"} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Regexp(t, `-col '/scheme@\(\w+ \w+\)'`, string(text), path)
		assert.NotContains(t, string(text), "-col /scheme", path)
	}
}

// A module of somebody else, with a scheme of its own, is measured beside ours.
func TestBenchOfAnotherModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	cmd := exec.Command("go", "test", "-run", "^$", "-benchtime", "1x", "-bench",
		"(Lifetime|PerTick|Timers|Wrong)/(scheme=(null|ninth|hierarchical|simplewheel)$|op=Stop)/(n=1k|scheme=ninth)")
	cmd.Dir = "testdata/ninth"
	text, err := cmd.CombinedOutput()
	out := string(text)
	assert.Error(t, err)
	assert.Contains(t, out, "outcome {", "a scheme that loses timers has no time")
	for _, want := range []string{
		"BenchmarkLifetime/scheme=null/n=1k/M=4096/T=2k/dist=uniform/stop=0",
		"BenchmarkLifetime/scheme=ninth/n=1k/M=1024/T=2k/dist=exp/stop=0.9/after=0.5",
		"BenchmarkLifetime/scheme=hierarchical/n=1k/M=4096/m=1024x1024x1024x1024/T=2k/dist=uniform/stop=0",
		"BenchmarkTimers/op=Stop/scheme=ninth/n=1k/M=1024/T=2k/dist=exp/stop=0.9/after=0.5",
		"BenchmarkPerTick/scheme=simplewheel/n=1k/M=4096/T=2k/dist=uniform/stop=0",
		"# skipped PerTick/scheme=simplewheel/n=1k/M=1024/T=2k/dist=exp/stop=0.9/after=0.5 range: the longest interval is",
	} {
		assert.Contains(t, out, want)
	}
	assert.Regexp(t, ` ns/op\s.* allocs/op`, out)
}

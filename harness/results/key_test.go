package results

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/workload"
)

func TestTheCellOfAName(t *testing.T) {
	table := loaded(t, file(t, "BenchmarkStart/scheme=hierarchical/n=1k/M=64/m=32x32/T=100/dist=exp/stop=0.9/after=0.05"+
		"/restart=0.1/restart-after=0.5/arrivals=poisson/memory=heap\t1\t5 ns/op\n"+
		"BenchmarkHold/scheme=x/n=10k\t1\t5 ns/op\n"+
		"BenchmarkOther/n=many/M=1.5\t1\t5 ns/op\n"))
	assert.Equal(t, Cell{Key: table.Keys[0], Slots: 64, Levels: workload.Levels{32, 32}, Spec: workload.Spec{
		N: 1000, T: 100, Dist: workload.Exp, Stop: 0.9, StopAt: 0.05, Restart: 0.1, RestartAt: 0.5,
		Arrivals: workload.Poisson,
	}}, table.Cell(table.Keys[0]))
	assert.Equal(t, "Operations/n=1k/T=100/dist=exp/stop=0.9/after=0.05/restart=0.1/restart-after=0.5/arrivals=poisson",
		table.Keys[0].Stream(), "as the files name their streams")
	assert.Equal(t, 10_000, table.Cell(table.Keys[1]).Spec.N)
	assert.Zero(t, table.Cell(table.Keys[2]).Spec)
}

func TestLoadNamesValuesThatDoNotParse(t *testing.T) {
	for bad, want := range map[string]string{
		"n=1e3/M=64/T=100/dist=exp/stop=0":           `invalid count "1e3"`,
		"n=1k/M=64/T=100/dist=normal/stop=0":         `invalid distribution "normal" (use const, uniform, exp`,
		"n=1k/M=64/T=100/dist=exp/stop=0.5":          `invalid share of timers "0.5"`,
		"n=1k/M=64/m=8,8/T=100/dist=exp/stop=0":      `invalid radices "8,8"`,
		"n=1k/M=64G/T=100/dist=exp/stop=0":           "M = 64G: out of range",
		"n=1k/M=64/T=9/dist=exp/stop=0/arrivals=now": `unknown arrivals "now" (have hold, poisson)`,
	} {
		_, err := Load(file(t, "Unit a better=lower\nBenchmarkStart/scheme=tree/"+bad+"\t1\t5 ns/op\n"))
		require.Error(t, err, bad)
		assert.Contains(t, err.Error(), want)
		assert.Contains(t, err.Error(), ".txt:2: Start/scheme=tree/")
	}
}

func TestTheCommandOfAFile(t *testing.T) {
	const row = "BenchmarkStart/scheme=a 1 5 ns/op\n"
	for line, want := range map[string][]string{
		`# argv ["run","--out=it's here"]`: {"run", "--out=it's here"},
		`# argv []`:                        {},
		"# argv [\"run\",\"--rounds=1\"]\n# resumed [\"run\",\"--rounds=2\"]": {"run", "--rounds=2"},
	} {
		table := loaded(t, file(t, line+"\n"+row))
		require.Len(t, table.Sources, 1)
		assert.Equal(t, want, table.Sources[0].Args, line)
	}
}

func TestCommandText(t *testing.T) {
	assert.Empty(t, CommandText())
	assert.Equal(t, `run --filter='.name:Hold /n:1k' 'a b'`,
		CommandText("run", "--filter=.name:Hold /n:1k", "a b"))
}

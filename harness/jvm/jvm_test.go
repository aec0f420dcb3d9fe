package jvm

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
)

var line = regexp.MustCompile(`^(Benchmark\S+ \d+( -?[\d.]+ \S+)+|[a-z]+: .+)$`)

// The program compiles without a warning and measures every timer on every operation, here a
// small one.
func TestPrograms(t *testing.T) {
	for _, p := range []Program{Peers, Services} {
		t.Run(p.operations, func(t *testing.T) {
			t.Parallel()
			batch := p.Batch()
			if batch.Missing != "" {
				t.Skip(batch.Missing)
			}
			out, err := p.run(context.Background(), "--quick")
			require.NoError(t, err)
			for text := range strings.Lines(out) {
				assert.Regexp(t, line, strings.TrimSuffix(text, "\n"))
			}
			made := map[[2]string]bool{}
			for _, r := range results.ParseResults([]byte(out)) {
				k := results.ParseKey(r.Name)
				made[[2]string{k.Op, k.Scheme + k.Facility}] = true
			}
			for _, name := range batch.Names {
				k := results.ParseKey(name)
				assert.True(t, made[[2]string{k.Op, k.Scheme + k.Facility}], name)
			}
		})
	}
}

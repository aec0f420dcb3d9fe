package workload

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCountText(t *testing.T) {
	for n, want := range map[Count]string{
		0: "0", 1: "1", 999: "999", 1000: "1k", 1001: "1001", 4096: "4096", 100_000: "100k",
		1_000_000: "1M", 1_500_000: "1500k", 2_000_000_000: "2G", 1 << 32: "4294967296", math.MaxUint64: "18446744073709551615", // the clock's end
	} {
		assert.Equal(t, want, n.String())
		got, err := Parse[Count](want)
		require.NoError(t, err)
		assert.Equal(t, n, got)
	}
}

func TestCountNamesWhatIsWrong(t *testing.T) {
	for _, text := range []string{"", "k", "-1", "+1", "1.5k", "1kk", "1K", "1 k", " 1", "0x10", "1_000", "1e3", "many", "18446744073709551616", "18446744073709551615k", "9223372036854775808G"} {
		n, err := Parse[Count](text)
		assert.Zero(t, n, text)
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), `invalid count "`+text+`" (use a whole number`)
	}
}

func TestStopsAndLevels(t *testing.T) {
	for _, text := range []string{"0", "0.9@0.05", "1@1", "0.00001@1"} {
		s, err := Parse[Stops](text)
		require.NoError(t, err)
		assert.Equal(t, text, s.String())
	}
	for _, text := range []string{"", "0.5", "0@0.5", "1.5@0.5", "0.5@2", "x@0.5", "0.5@NaN"} {
		_, err := Parse[Stops](text)
		assert.ErrorContains(t, err, `invalid share of timers "`+text+`" (use 0, or`)
	}
	for _, text := range []string{"", "60x60x24", "1"} {
		l, err := Parse[Levels](text)
		require.NoError(t, err)
		assert.Equal(t, text, l.String())
	}
	for _, text := range []string{"0", "8,8", "8x", "-1x8"} {
		_, err := Parse[Levels](text)
		assert.ErrorContains(t, err, `invalid radices "`+text+`"`)
	}
}

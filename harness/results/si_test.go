package results

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestFormatCount(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 1: "1", 999: "999", 1000: "1k", 1001: "1001", 4096: "4096", 100_000: "100k",
		1_000_000: "1M", 1_500_000: "1500k", 2_000_000_000: "2G", 1 << 32: "4294967296",
	} {
		assert.Equal(t, want, FormatCount(n))
	}
}

func TestParseCountReadsWhatFormatCountWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Max(1<<63).Draw(t, "digits")
		if power := rapid.SampledFrom([]uint64{1, 1e3, 1e6, 1e9}).Draw(t, "factor"); n <= 1<<63/power {
			n *= power
		}
		got, err := ParseCount(FormatCount(n))
		require.NoError(t, err)
		assert.Equal(t, n, got)
	})
}

func TestParseCountNamesWhatIsWrong(t *testing.T) {
	for _, text := range []string{"", "k", "-1", "+1", "1.5k", "1kk", "1K", "1 k", " 1", "0x10", "1_000", "1e3", "many", "18446744073709551616", "18446744073709551615k", "9223372036854775808G"} {
		n, err := ParseCount(text)
		assert.Zero(t, n, text)
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), `invalid count "`+text+`" (use a whole number`)
	}
}

// Ticks reach 2^64-1, which is also the range of most schemes.
func TestParseCountReachesTheClocksEnd(t *testing.T) {
	got, err := ParseCount(FormatCount(math.MaxUint64))
	require.NoError(t, err)
	assert.Equal(t, uint64(math.MaxUint64), got)
}

package units

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFormatNanos(t *testing.T) {
	for ns, want := range map[float64]string{
		0: "0 ns", 0.5: "0.5 ns", 9.74: "9.74 ns", 99: "99 ns", 123.4: "123 ns", 999.7: "1 µs", 4800: "4.8 µs",
		2.5e6: "2.5 ms", 3e9: "3 s", 75e9: "75 s", 250e9: "4.17 min", 3 * 3600e9: "3 h", 101.5 * 3600e9: "4.23 days", -301: "-301 ns",
	} {
		assert.Equal(t, want, FormatNanos(ns))
	}
	for _, ns := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		assert.Equal(t, "-", FormatNanos(ns))
	}
}

func TestFormatNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.25: "0.25", 24: "24", 1812.3: "1,810", 5.51e8: "551 million", 2: "2", -1350: "-1,350", 2.4e9: "2.4 billion", 999.7: "1,000", 123456: "123,000", 86_390: "86,400", 999_999: "1 million", 0.001234: "0.00123"} {
		assert.Equal(t, want, FormatNumber(v))
	}
	assert.Equal(t, "-", FormatNumber(math.NaN()))
	assert.Equal(t, "1e+300", FormatNumber(1e300))
	assert.Equal(t, "1.16e+294 days", FormatNanos(1e308))
	assert.Equal(t, "1.50", FormatRatio(1.5))
	assert.Equal(t, "1,090", FormatRatio(1091))
	assert.Equal(t, "-", FormatRatio(math.NaN()))
	assert.Equal(t, "2.2 %", FormatPercent(0.022))
	for v, want := range map[float64]string{35.2: "35.2 B", 1.78 * (1 << 20): "1.78 MiB", 8 << 30: "8 GiB", 0: "0 B"} {
		assert.Equal(t, want, FormatBytes(v))
	}
}

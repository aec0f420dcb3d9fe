package results

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNumber(t *testing.T) {
	for want, v := range map[string]float64{
		"0": 0, "0.92": 0.92, "0.00123": 0.001234, "17.1": 17.09, "91": 91, "236": 236.4, "1,000": 999.9, "1,350": 1350.2,
		"86,400": 86_390, "1 million": 999_999, "2.41 million": 2_412_345, "3 billion": 3e9, "1e+18": 1e18, "-1,800": -1800, "-": math.NaN(),
	} {
		assert.Equal(t, want, Number(v))
	}
	assert.Equal(t, "-", Number(math.Inf(1)))
}

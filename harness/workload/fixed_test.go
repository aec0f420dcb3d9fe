package workload

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestLog2(t *testing.T) {
	for n := range uint64(64) {
		assert.Equal(t, n*one, log2(1<<n), "of 2^%d", n)
	}
	for x := uint64(1); x <= 20_000; x++ {
		assert.InDelta(t, math.Log2(float64(x)), float64(log2(x))/one, 1.0/one, "of %d", x)
	}
	assert.InDelta(t, 64, float64(log2(math.MaxUint64))/one, 1.0/one)
}

func TestExp2(t *testing.T) {
	for n := range uint64(31) {
		assert.Equal(t, uint64(one)<<n, exp2(n*one), "2^%d", n)
	}
	for x := uint64(0); x < 31*one; x += one / 999 {
		want := math.Exp2(float64(x) / one)
		assert.InDelta(t, want, float64(exp2(x))/one, 1.5/one+want*1e-15, "2^%v", float64(x)/one)
	}
}

func TestExp2UndoesLog2(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Uint64Range(1, 1<<30).Draw(t, "x")
		got := float64(exp2(log2(x))) / one
		assert.InEpsilon(t, float64(x), got, 2.0/one)
	})
}

func TestMulDivAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, c := rapid.Uint64().Draw(t, "a"), rapid.Uint64Min(1).Draw(t, "c")
		b := rapid.Uint64Max(c).Draw(t, "b")
		if b == c {
			b--
		}
		want := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
		want.Quo(want, new(big.Int).SetUint64(c))
		assert.Equal(t, want.Uint64(), mulDiv(a, b, c))
	})
}

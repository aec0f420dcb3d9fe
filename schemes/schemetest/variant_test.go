package schemetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// What only the seven must not do, a variant may: migrate, with any number.
func TestVariantMayMigrate(t *testing.T) {
	info := referenceInfo(2, "migrations counted")
	info.Name = "reference"
	assertRejected(t, VerifyShort(info), "counts-migrations")
	info.Name = "reference-refilled"
	require.NoError(t, VerifyShort(info))
}

// onDemand makes what it needs for an interval when it is first asked for it.
type onDemand struct {
	*reference
	levels []*schemes.Tick
	lose   bool // while no timer is outstanding
}

func (d *onDemand) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if d.lose && d.n == 0 {
		d.levels = nil
	}
	h, err := d.reference.Start(interval, id)
	for n := schemes.Tick(1); err == nil && n <= interval>>4; n <<= 1 {
		if int(n) > len(d.levels) {
			d.levels = append(d.levels, new(schemes.Tick))
		}
	}
	return h, err
}

func TestStructureOnDemand(t *testing.T) {
	for _, lose := range []bool{false, true} {
		info := wrapped(2, "", func(r *reference, _ setting) schemes.Scheme { return &onDemand{reference: r, lose: lose} })
		if lose {
			assertRejected(t, VerifyShort(info), "capacity-ahead")
		} else {
			require.NoError(t, VerifyShort(info))
		}
	}
}

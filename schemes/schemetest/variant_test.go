package schemetest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What only the seven must not do, a variant may: migrate, with any number.
func TestVariantMayMigrate(t *testing.T) {
	info := referenceInfo(2, "migrations counted")
	info.Name = "reference"
	assertRejected(t, VerifyShort(info), "counts-migrations")
	info.Name = "reference-refilled"
	require.NoError(t, VerifyShort(info))
}

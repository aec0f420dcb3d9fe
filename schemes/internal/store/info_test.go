package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestText(t *testing.T) {
	assert.Equal(t, "Package x does.\n\n\ta figure // here\nEnd.\n",
		DocText("// Package x does.\n//\n//\ta figure // here\n// End.\npackage x\n\n// not this\n"))
	assert.Empty(t, DocText("package x\n"))
}

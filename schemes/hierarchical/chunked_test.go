package hierarchical

import (
	"testing"

	"timerlab/schemes/schemetest"
)

func TestConformanceChunked(t *testing.T) { schemetest.Run(t, &Chunked) }

func FuzzConformanceChunked(f *testing.F) { schemetest.Fuzz(f, &Chunked) }

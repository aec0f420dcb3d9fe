package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
)

// What is packed is text that a script element keeps as it is, and is found again.
func TestPack(t *testing.T) {
	data := bytes.Repeat([]byte("timing wheels \x00\xff<script>\r\n"), 50)
	text := pack(data)
	assert.True(t, utf8.ValidString(text))
	assert.NotContains(t, text, "</")
	assert.NotContains(t, text, "<!")
	assert.NotContains(t, text, "\r")
	assert.NotContains(t, text, "\x00")
	var out []byte
	bits, have := 0, 0
	for _, c := range text {
		if c > 127 {
			c -= 129
		}
		bits, have = bits<<7|int(c), have+7
		if have >= 8 {
			out = append(out, byte(bits>>(have-8)))
			have -= 8
		}
	}
	r, err := gzip.NewReader(bytes.NewReader(out))
	require.NoError(t, err)
	r.Multistream(false)
	got, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, data, got)
}

// Every operation of every scheme has its source.
func TestSources(t *testing.T) {
	s, err := CutSources()
	require.NoError(t, err)
	for _, info := range harness.Schemes {
		for _, operation := range operations {
			places := s.Of[info.Name][operation]
			if !assert.NotEmpty(t, places, "%s %s", info.Name, operation) {
				continue
			}
			first := s.All[places[0]]
			assert.True(t, strings.HasPrefix(first.File, "schemes/"), first.File)
			assert.Contains(t, first.HTML, operation+"(", "%s:%d", first.File, first.Line)
		}
	}
	hash := s.All[s.Of["hashunsorted"]["PerTick"][1]]
	assert.Contains(t, hash.HTML, "countDown", "the function that does the work")
}

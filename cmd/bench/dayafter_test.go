package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	// shown is a command in a page and what it prints.
	shown = regexp.MustCompile("(?ms)^```\n\\$ bench (.*?)\n(.*?)\n```$")
	// word is an argument, perhaps in quotes.
	word = regexp.MustCompile(`'([^']*)'|(\S+)`)
)

// Commands that the page of the harness shows print what it shows. What the doctor finds
// depends on the machine, so it is not called.
func TestTheDayAfter(t *testing.T) {
	text := read(t, filepath.Join(repository, "harness/README.md"))
	t.Chdir(repository)
	blocks := shown.FindAllStringSubmatch(text, -1)
	require.GreaterOrEqual(t, len(blocks), 5)
	for _, block := range blocks {
		var args []string
		for _, m := range word.FindAllStringSubmatch(block[1], -1) {
			args = append(args, m[1]+m[2])
		}
		if args[0] == "doctor" {
			assert.Contains(t, block[2], "carry a verdict")
			continue
		}
		t.Run(args[0], func(t *testing.T) {
			_, out, errOut := bench(t, args...)
			assert.Equal(t, block[2], strings.TrimRight(out+errOut, "\n"))
		})
	}
}

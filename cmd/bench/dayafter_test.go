package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	// shown is a command in a page and what it prints; quoted is one without its output.
	shown  = regexp.MustCompile("(?ms)^```\n\\$ ((?:bench|go tool) .*?)\n(.*?)\n```$")
	quoted = regexp.MustCompile(`(?m)^    (go tool benchstat .*harness/gate/testdata.*)$`)
	// word is an argument, perhaps in quotes.
	word = regexp.MustCompile(`'([^']*)'|(\S+)`)
)

// words returns the arguments of a command as a shell splits it.
func words(command string) (args []string) {
	for _, m := range word.FindAllStringSubmatch(command, -1) {
		args = append(args, m[1]+m[2])
	}
	return args
}

// Commands that the page of the harness shows print what it shows, those of benchstat included. What the doctor finds
// depends on the machine, so it is not called.
func TestTheDayAfter(t *testing.T) {
	text := read(t, filepath.Join(repository, "harness/README.md"))
	t.Chdir(repository)
	blocks := shown.FindAllStringSubmatch(text, -1)
	require.Len(t, blocks, 3)
	for _, block := range blocks {
		args := words(block[1])
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) {
			switch args[0] + args[1] {
			case "benchdoctor":
				assert.Contains(t, block[2], "carry a verdict")
			case "gotool":
				out, err := exec.Command("go", args[1:]...).Output()
				require.NoError(t, err)
				assert.Equal(t, block[2], strings.TrimRight(string(out), "\n"))
			default:
				_, out, errOut := bench(t, args[1:]...)
				assert.Equal(t, block[2], strings.TrimRight(out+errOut, "\n"))
			}
		})
	}
	more := quoted.FindAllStringSubmatch(text, -1)
	require.Len(t, more, 2)
	for _, command := range more {
		out, err := exec.Command("go", words(command[1])[1:]...).CombinedOutput()
		require.NoError(t, err)
		assert.Contains(t, string(out), "geomean", command[1])
	}
}

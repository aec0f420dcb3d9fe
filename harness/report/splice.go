package report

import (
	"fmt"
	"os"
	"strings"
)

// marks are two lines of a file between which a part of it is written anew.
type marks struct{ begin, end string }

func marksOf(name string) marks {
	return marks{"<!-- " + name + " -->", "<!-- end of " + name + " -->"}
}

// splice replaces what stands between the marks by text under the command that
// made it.
func (m marks) splice(path, command, text string) error {
	before, after, err := m.around(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(fmt.Sprintf("%s%s\n\n    %s\n\n%s\n%s%s", before, m.begin, command, text, m.end, after)), 0o644)
}

// around returns what stands in a file before the marks and behind them.
func (m marks) around(path string) (before, after string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", "", err
	}
	before, rest, ok1 := strings.Cut(string(text), m.begin)
	_, after, ok2 := strings.Cut(rest, m.end)
	if !ok1 || !ok2 {
		return "", "", fmt.Errorf("%s: no place for what is to be put there, needed: a line %q and, below it, a line %q", path, m.begin, m.end)
	}
	return before, after, nil
}

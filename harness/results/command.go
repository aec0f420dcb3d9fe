package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// A raw file records the arguments of the command that measured it, by which it is continued and
// measured again.

const commandPrefix = "go run ./cmd/bench"

// CommandText returns the command that has these arguments, as one types it.
func CommandText(args ...string) string {
	text := commandPrefix
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if ok && strings.HasPrefix(arg, "--") {
			text += " " + name + "=" + quote(value)
		} else {
			text += " " + quote(arg)
		}
	}
	return text
}

// quote quotes a word for a shell, if it needs that. The nested modules that read results would need
// shellescape for it.
func quote(word string) string {
	special := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_@%+=:,./-", c)
	}
	if word != "" && !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

// Command writes the arguments of the command that measures the file.
func (r *Raw) Command(args ...string) error { return r.argv(argvMark, args) }

// Resumed writes the arguments of the command that adds to the file: they replace those of before.
func (r *Raw) Resumed(args ...string) error { return r.argv(resumedMark, args) }

func (r *Raw) argv(mark string, args []string) error {
	text, err := json.Marshal(append([]string{}, args...))
	return errors.Join(err, r.line("# %s %s", mark, text))
}

func (f *rawFile) command(mark, text string) error {
	var args []string
	if err := json.Unmarshal([]byte(text), &args); err != nil {
		return fmt.Errorf("invalid arguments %.60q (use a JSON array of strings, as in [\"run\",\"--rounds=6\"])", text)
	}
	if mark == argvMark && f.source.Args != nil {
		return errors.New("a second command: files were joined (name each of them instead)")
	}
	f.source.Command, f.source.Args = CommandText(args...), args
	return nil
}

package lab

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/teach/lab/grade"
)

//go:embed testdata/slips.txt
var slips string

// readSlips returns the mistakes of the file, which says how they are written: a name, then texts of the solution, each
// with what replaces it.
func readSlips() (all [][]string) {
	for _, part := range strings.Split(slips, "\n\n= ")[1:] {
		name, lines, _ := strings.Cut(strings.TrimSuffix(part, "\n"), "\n")
		slip, last := []string{name}, ""
		for line := range strings.SplitSeq(lines, "\n") {
			if line[:1] == last {
				slip[len(slip)-1] += "\n" + line[1:]
			} else {
				slip = append(slip, line[1:])
			}
			last = line[:1]
		}
		all = append(all, slip)
	}
	return all
}

// uselessSlips leave nothing that works.
var uselessSlips = map[string]string{
	"next read after relinking": "PerTick never returns when a timer is due",
	"no decrement":              "no timer is ever due",
	"IDs not kept":              "no timer is handed out under its ID",
}

// A mistake costs something, but nothing that has nothing to do with it. All are in one program, which is graded
// as the one under whose name it is started.
func TestSlips(t *testing.T) {
	all := student(t, "")
	imports, table, chosen := "", "", readSlips()
	if testing.Short() {
		chosen = chosen[:4]
	}
	for i, s := range chosen {
		name := fmt.Sprintf("s%d", i)
		require.NoError(t, writeFile(filepath.Join(all.Module.Dir, name, "scheme.go"), []byte(solution(t, s[1:]...))))
		imports += fmt.Sprintf("%s \"scheme6/%[1]s\"\n", name)
		table += fmt.Sprintf("%q: %[1]s.Info,\n", name)
	}
	source := "package scheme6\nimport (\n\"os\"\n\"timerlab/schemes\"\n" + imports + ")\n" +
		"var Info = map[string]schemes.Info{\n" + table + "}[os.Args[0]]\n"
	require.NoError(t, writeFile(filepath.Join(all.Module.Dir, "scheme6.go"), []byte(source)))
	p, _, err := all.build(t.Context())
	require.NoError(t, err)
	for i, s := range chosen {
		useless := uselessSlips[s[0]]
		t.Run(s[0], func(t *testing.T) {
			t.Parallel()
			one, timeout := *p, time.Minute
			one.name = fmt.Sprintf("s%d", i)
			if useless != "" {
				timeout = 300 * time.Millisecond
			}
			r, err := one.grade(t.Context(), grade.Options{Short: true}, timeout, func(int, int, string) {})
			require.NoError(t, err)
			cost := r.Max - r.Score
			t.Logf("costs %d points", cost)
			switch {
			case useless != "":
				assert.GreaterOrEqual(t, cost, 90, "%s, but %s", useless, text(t, r))
			case strings.HasSuffix(s[0], " walks"):
				assert.Zero(t, r.Stages[6].Score, "%s", text(t, r))
				fallthrough
			default:
				assert.GreaterOrEqual(t, cost, 5, "%s", text(t, r))
				assert.LessOrEqual(t, cost, 40, "%s", text(t, r))
			}
		})
	}
}

package lab

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/teach/lab/grade"
)

// A stage in which the student's code loops, crashes, exits or takes all memory ends, and the others go on.
func TestStagesEndAlone(t *testing.T) {
	const length = "func (s *scheme) Len() int { return s.n }"
	for i, c := range []struct {
		name, body, imported, want string
		timeout                    time.Duration
	}{
		{"loop", "for s.n >= 0 {\n}\nreturn 0", "", "The checks of this stage took longer than 2s.", 2 * time.Second},
		{"exit", "os.Exit(0)\nreturn 0", `"os"`, "Your program ended: exit status 0. Does it call os.Exit?", time.Minute},
		{"memory", "var all [][]byte\nfor {\nall = append(all, make([]byte, 1<<20))\n}", "",
			"Your scheme used more than 1024 MiB of memory.", time.Minute},
		{"one huge slice", "all := make([]byte, 8<<30)\nfor i := range all {\nall[i] = 1\n}\nreturn len(all)", "",
			"Your scheme used more than 1024 MiB of memory.", time.Minute},
		{"recursion", "return s.Len() + 1", "", "fatal error: stack overflow\n    at scheme6.go:", time.Minute},
		{"goroutine", "go func() { panic(\"lost\") }()\ntime.Sleep(time.Second)\nreturn 0", `"time"`, "panic: lost\n    at scheme6.go:",
			time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && i != 1 {
				t.Skip("tries one way")
			}
			t.Parallel()
			source := solution(t, length, "func (s *scheme) Len() int {\n"+c.body+"\n}", "import (\n", "import (\n\t"+c.imported+"\n")
			r := graded(t, student(t, source), c.timeout)
			assert.Contains(t, text(t, r), c.want)
			for _, s := range r.Stages {
				switch s.Stage {
				case "D":
					assert.Zero(t, s.Score)
					assert.Equal(t, Broken, s.Rules[1].Verdict)
					assert.Equal(t, Unchecked, s.Rules[2].Verdict)
					assert.NotEmpty(t, s.Ended)
				case "H":
					assert.Zero(t, s.Score, "it looks at all methods")
				default:
					assert.Equal(t, s.Max, s.Score, "stage %s", s.Stage)
				}
			}
		})
	}
}

// What a student's code writes among the records does not count, whatever it says, and does no harm.
func TestForgedRecords(t *testing.T) {
	for _, lines := range []string{
		`{"Result":{"Rule":"info","Violation":null}}`, `x {"Result":{"Rule":"none","Violation":null}}`, "{", strings.Repeat("x ", 9),
	} {
		source := solution(t, "import (\n", "import (\n\t\"io\"\n\t\"os\"\n\t\"strings\"\n", "const maxTick", `func init() {
	given, _ := io.ReadAll(os.Stdin)
	fmt.Println("the key is", len(given), "bytes")
	os.NewFile(1, "records").WriteString(strings.Repeat(`+strconv.Quote(lines+"\n")+`, 50))
	os.Exit(0)
}

const maxTick`)
		r := graded(t, student(t, source), time.Minute)
		assert.Zero(t, r.Score)
		assert.Contains(t, text(t, r), "Your program ended before the first rule: exit status 0. Does it call os.Exit?")
		assert.Contains(t, r.Stages[0].Output, "the key is 0 bytes")
	}
}

// Grading ends when it is interrupted.
func TestInterrupted(t *testing.T) {
	p, _, err := student(t, "").build(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = p.grade(ctx, grade.Options{Short: true}, time.Minute, func(int, int, string) {})
	require.ErrorIs(t, err, context.Canceled)
}

// A crash before main is reported once.
func TestCrashBeforeTheFirstRule(t *testing.T) {
	r := graded(t, student(t, solution(t, "const maxTick", "func init() { panic(\"oops\") }\n\nconst maxTick")), time.Minute)
	assert.Zero(t, r.Score)
	assert.Contains(t, text(t, r), "Your program crashed before the first rule:\npanic: oops\nat scheme6.go:21\n")
	assert.Contains(t, text(t, r), "Not checked, for the same reason.")
}

// A panic within an operation is a violation, and the stage goes on.
func TestPanicIsShownWithItsOperation(t *testing.T) {
	source := solution(t, "t := &s.timers[i]\n	if t.state == free ||", "t := &s.timers[i+1]\n	if t.state == free ||")
	r := graded(t, student(t, source), time.Minute)
	assert.Empty(t, r.Stages[1].Ended)
	assert.Contains(t, text(t, r), "index out of range [3] with length 3 (scheme6.go:110)\n    New(Now 0, Slots 1)\n"+
		"    Start(interval 1, id 6) -> h6\n    Stop(h6) -> panic\n")
}

// The first stage needs no Stop, and the rule hang may break without hanging.
func TestFirstStageNeedsNoStop(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for operations")
	}
	source := solution(t, "func (s *scheme) Stop(h schemes.Handle) bool {\n", "func (s *scheme) Stop(h schemes.Handle) bool {\n	return false\n")
	r := graded(t, student(t, source), time.Minute)
	assert.Equal(t, r.Stages[0].Max, r.Stages[0].Score)
	assert.Zero(t, r.Stages[1].Score)
	for _, s := range r.Stages {
		assert.Empty(t, s.names(Unchecked))
	}
}

// What does not compile is explained in the student's terms.
func TestUnbuilt(t *testing.T) {
	for name, c := range map[string]struct {
		old, new, want string
	}{
		"mistake":   {"	s.n++\n	return", "	s.m++\n	return", "scheme6.go:101:4: s.m undefined (type *scheme has no field or method m)"},
		"no Info":   {"var Info =", "var info =", "package scheme6 has no variable Info, of type schemes.Info"},
		"pointer":   {"var Info = schemes", "var Info = &schemes", "(the variable Info must be of type schemes.Info)"},
		"elsewhere": {"	\"fmt\"\n", "	\"fmt\"\n	_ \"golang.org/x/sys/unix\"\n", "(use only the standard library"},
		"unsafe":    {"	\"fmt\"\n", "	\"fmt\"\n	_ \"unsafe\"\n", "it uses unsafe, which a scheme does not need"},
		"solution": {"	\"fmt\"\n", "	\"fmt\"\n	_ \"timerlab/schemes/hashunsorted\"\n",
			"package timerlab/schemes/hashunsorted"},
	} {
		m := student(t, solution(t, c.old, c.new))
		r := graded(t, m, time.Minute)
		assert.Contains(t, r.Unbuilt, c.want, name)
		assert.NotContains(t, r.Unbuilt, m.Module.Dir, name)
		assert.Contains(t, text(t, r), "does not build, so it has no points", name)
	}
	m := student(t, solution(t))
	require.NoError(t, writeFile(filepath.Join(m.Module.Dir, "read.s"), nil))
	assert.Contains(t, graded(t, m, time.Minute).Unbuilt, "it uses assembly")
}

package adapter

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/schemetest"
)

// The test binary is an adapter if these say of what.
const (
	servedScheme = "TIMERLAB_TEST_SCHEME" // a name, and with "+" without the two steps
	servedLie    = "TIMERLAB_TEST_LIE"    // of lies, or of realFaults with "real "
	servedTruth  = "TIMERLAB_TEST_TRUTH"  // the outcome of a file
)

func TestMain(m *testing.M) {
	name, lie := os.Getenv(servedScheme), os.Getenv(servedLie)
	switch fault, real := strings.CutPrefix(lie, "real"); {
	case real:
		serveReal(strings.TrimSpace(fault))
	case lie != "":
		check(tell(lies[lie]))
	case name != "":
		label, whole := strings.CutSuffix(name, "+")
		info, err := harness.Find(label)
		check(err)
		var without []string
		if whole {
			without = []string{"pertick"}
		}
		check(Serve(os.Stdin, os.Stdout, info, "1", without...))
	default:
		os.Exit(m.Run())
	}
}

// openTest opens the test binary as an adapter.
func openTest(t *testing.T, variable, value string) *Adapter {
	t.Helper()
	a, err := Open(t.Context(), "env", variable+"="+value, os.Args[0])
	require.NoError(t, err)
	t.Cleanup(a.Close)
	return a
}

func quietly(int, int, string) {}

// brokenRules are the rules that verdicts say are broken.
func brokenRules(verdicts []schemetest.Verdict) (names []string) {
	for _, v := range verdicts {
		if v.Violation != nil {
			names = append(names, v.Name)
		}
	}
	return names
}

// The seven keep every rule that can be seen from outside, also passed tick by tick.
func TestTheSevenPassThroughTheDoor(t *testing.T) {
	const within = 2 * time.Second
	for _, info := range harness.Schemes[:7] {
		for _, suffix := range []string{"", "+"} {
			t.Run(info.Name+suffix, func(t *testing.T) {
				t.Parallel()
				a, began := openTest(t, servedScheme, info.Name+suffix), time.Now()
				verdicts, err := a.Verify(t.Context(), false, within, quietly)
				require.NoError(t, err)
				for _, v := range verdicts {
					assert.Nil(t, v.Violation)
					sized := info.Kind.HasSlots() || info.Kind.HasLevels()
					if lacks := v.Lacks; lacks != "" && lacks != "late" && (lacks != "sizes" || sized) && suffix == "" {
						t.Errorf("%s is not promised: %s", v.Name, lacks)
					}
					assert.True(t, v.Lacks != "" || v.Programs > 0 || time.Since(began) > within, v.Name)
				}
			})
		}
	}
}

// A lie is what an adapter that is otherwise a good one answers to some lines.
type lie func(s *server, line, truth string) string

// lies are adapters that do not do what they say, with the rule that each is found to break first.
var lies = map[string]lie{
	"fires twice": func(_ *server, line, truth string) string {
		if words := strings.Fields(truth); strings.HasPrefix(line, "tick") && len(words) == 4 {
			return truth + " " + words[3]
		}
		return truth
	},
	"late by one at a wrap": func(s *server, line, truth string) string {
		words := strings.Fields(line)
		if words[0] == "start" && words[2] == "256" {
			s.answer([]string{"stop", words[1]})
			return s.answer([]string{"start", words[1], "257"})
		}
		return truth
	},
	"answers before it is asked": func(_ *server, line, truth string) string {
		if strings.HasPrefix(line, "stop") {
			return truth + "\nno"
		}
		return truth
	},
	"hides errors": func(_ *server, _, truth string) string {
		if strings.HasPrefix(truth, "error") {
			return "ok"
		}
		return truth
	},
	"says that it stopped": func(_ *server, line, truth string) string {
		if strings.HasPrefix(line, "stop") {
			return "yes"
		}
		return truth
	},
	"hangs": func(_ *server, line, truth string) string {
		if strings.HasPrefix(line, "stop") {
			select {}
		}
		return truth
	},
	"crashes": func(_ *server, line, truth string) string {
		if strings.HasPrefix(line, "stop") {
			panic("no")
		}
		return truth
	},
	"garbage": func(_ *server, line, truth string) string {
		if strings.HasPrefix(line, "tick") {
			return truth + " 1:x"
		}
		return truth
	},
	"endless line": func(_ *server, line, truth string) string {
		for strings.HasPrefix(line, "tick") {
			fmt.Print("ok 1:1 ")
		}
		return truth
	},
	"endless lines": func(_ *server, line, truth string) string {
		for strings.HasPrefix(line, "tick") {
			fmt.Println("ok")
		}
		return truth
	},
	"leaves a child": func(_ *server, line, truth string) string {
		if strings.HasPrefix(line, "tick") {
			child := exec.Command("sleep", "1000")
			child.Stdout = os.Stdout
			check(child.Start())
			os.Exit(0)
		}
		return truth
	},
	"knows the outcome": func(_ *server, line, truth string) string {
		switch word, _, _ := strings.Cut(line, " "); word {
		case "hello":
			return truth + " run"
		case "run":
			return "ok 100000000"
		case "outcome":
			return "ok " + os.Getenv(servedTruth)
		case "load":
			return "ok"
		}
		return truth
	},
}

// tell is an adapter that lies.
func tell(l lie) error {
	s := &server{info: &hierarchical.Info}
	hello, err := s.hello("1", []string{"pertick"})
	lines := bufio.NewScanner(os.Stdin)
	for err == nil && lines.Scan() {
		truth := ""
		switch word, _, _ := strings.Cut(lines.Text(), " "); word {
		case "hello":
			truth = hello
		case "load", "run", "outcome":
		default:
			truth = s.answer(strings.Fields(lines.Text()))
		}
		_, err = fmt.Println(l(s, lines.Text(), truth))
	}
	return err
}

// Each lie is found, in bounded time, and the right rule or the right word is named.
func TestLies(t *testing.T) {
	for name, want := range map[string]struct{ rule, got string }{
		"fires twice":                {"expire", "handed out"},
		"late by one at a wrap":      {"expire", "never handed out"},
		"answers before it is asked": {"panic", "before it was asked"},
		"hides errors":               {"interval-zero", "accepted interval 0"},
		"says that it stopped":       {"stop-foreign", "Stop returned true"},
		"hangs":                      {"hang", "did not answer"},
		"crashes":                    {"panic", "panic: no"},
		"garbage":                    {"panic", "1:x"},
		"endless line":               {"hang", "longer than"},
		"endless lines":              {"exact", "never handed out"},
		"leaves a child":             {"hang", "did not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, before := openTest(t, servedLie, name), time.Now()
			a.patience = time.Second
			verdicts, err := a.Verify(t.Context(), false, 2*time.Second, quietly)
			require.NoError(t, err)
			assert.Less(t, time.Since(before), 100*time.Second, "five, and shrinking, on a busy machine")
			i := slices.IndexFunc(verdicts, func(v schemetest.Verdict) bool {
				return v.Violation != nil && v.Violation.Rule == want.rule && strings.Contains(v.Violation.Got, want.got)
			})
			require.GreaterOrEqual(t, i, 0, "%v", verdicts)
			trail := verdicts[i].Violation.Trail
			assert.Equal(t, "> new", trail[0][:5])
			assert.LessOrEqual(t, len(trail), 30, "%v", trail)
		})
	}
}

func TestMeasuredLie(t *testing.T) {
	trace, err := workload.Spec{N: 100, T: 100, Dist: workload.Exp, Ticks: 1000, Seed: 1}.Trace()
	require.NoError(t, err)
	t.Setenv(servedTruth, fmt.Sprint(trace.Want.Expired, trace.Want.Checksum))
	a := openTest(t, servedLie, "knows the outcome")
	s := &timers{a: a}
	_, err = s.Measure(trace)
	require.ErrorContains(t, err, "its process used")
	trace.Want.Checksum++
	_, err = s.Measure(trace)
	require.ErrorContains(t, err, "with the checksum")
}

// What is no adapter is refused with what it said.
func TestNoAdapter(t *testing.T) {
	for command, want := range map[string]string{
		"":                             "no command",
		"./nothing":                    "no such file",
		"true":                         "hello",
		"echo hello 2 x 1":             `"hello 2 x 1"`,
		"echo hello 1 X 1":             "no name",
		"echo hello 1 x 1 fly":         "fly is no promise",
		"echo hello 1 x 1 range=0":     "range=0",
		"echo hello 1 x 1 range=-1":    "range=-1",
		"echo hello 1 x 1 clock=1m":    "clock=1m",
		"echo hello 1 x 1 late=much":   "late=much",
		"echo hello 1 x 1 action":      "action needs stale",
		"echo hello 1 x 1 late=1ms":    "in ms with clock=",
		"echo hello 1 x 1 range=slots": "range=slots: use 1 to 2^63-1, or slots or levels, which have to be promised",

		"echo hello 1 x 1 clock=9ms late=-1ms":       "in ms with clock=",
		"echo hello 1 x 1 clock=9ms run":             "with clock=, there is no",
		"echo hello 1 x 1 range=9223372036854775808": "use 1 to 2^63-1",
		"echo hello 1 x 1 clock=1ms=2":               "clock=1ms=2",
	} {
		_, err := Open(t.Context(), strings.Fields(command)...)
		assert.ErrorContains(t, err, want, command)
	}
}

// An interrupt ends the adapter.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a, err := Open(ctx, "env", servedScheme+"=hierarchical", os.Args[0])
	require.NoError(t, err)
	cancel()
	_, err = a.Verify(ctx, true, 10*time.Second, quietly)
	require.Error(t, err)
	a.Close()
}

// After several ticks in one line, PerTick reports each timer on its own tick.
func TestAhead(t *testing.T) {
	a := openTest(t, servedScheme, "hierarchical+")
	s, err := a.Info().New(schemes.Config{})
	require.NoError(t, err)
	_, err = s.Start(3, 1)
	require.NoError(t, err)
	s.(schemetest.Outside).Ahead(4)
	var due []int
	for range 5 {
		due = append(due, s.PerTick())
	}
	assert.Equal(t, []int{0, 0, 1, 0, 0}, due)
	assert.Equal(t, []string{"> new", "< ok", "> start 1 3", "< ok", "> tick 4", "< ok 3:1", "> tick 1", "< ok"},
		s.(schemetest.Outside).Transcript())
}

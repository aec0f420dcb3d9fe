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

// A lie is what an adapter that is otherwise a good one answers to lines that begin with some letters. Of it a verdict says which
// rule it breaks, and how.
type lie struct {
	to     string
	answer func(s *server, line, truth string) string
	rule   string
	got    string
}

// always is an answer, with the truth in place of %s.
func always(form string) func(*server, string, string) string {
	return func(_ *server, _, truth string) string { return strings.ReplaceAll(form, "%s", truth) }
}

// endless prints a text for ever.
func endless(text string) func(*server, string, string) string {
	return func(*server, string, string) string {
		for {
			fmt.Print(text)
		}
	}
}

// lies are adapters that do not do what they say.
var lies = map[string]lie{
	"fires twice": {"tick", func(_ *server, _, truth string) string {
		if words := strings.Fields(truth); len(words) == 4 {
			return truth + " " + words[3]
		}
		return truth
	}, "expire", "handed out"},
	"late by one at a wrap": {"start", func(s *server, line, truth string) string {
		id, is := strings.CutSuffix(strings.TrimPrefix(line, "start "), " 256")
		if is {
			s.answer("stop " + id)
			return s.answer("start " + id + " 257")
		}
		return truth
	}, "expire", "never handed out"},
	"hides errors": {"start", func(_ *server, _, truth string) string {
		if strings.HasPrefix(truth, "error") {
			return "ok"
		}
		return truth
	}, "interval-zero", "accepted interval 0"},
	"leaves a child": {"tick", func(*server, string, string) string {
		child := exec.Command("sleep", "1000")
		child.Stdout = os.Stdout
		check(child.Start())
		os.Exit(0)
		return ""
	}, "hang", "did not answer"},
	"answers before it is asked": {"stop", always("%s\nno"), "panic", "before it was asked"},
	"says that it stopped":       {"stop", always("yes"), "stop-foreign", "Stop returned true"},
	"hangs":                      {"stop", func(*server, string, string) string { select {} }, "hang", "did not answer"},
	"crashes":                    {"stop", func(*server, string, string) string { panic("no") }, "panic", "panic: no"},
	"garbage":                    {"tick", always("%s 1:x"), "panic", "1:x"},
	"endless line":               {"tick", endless("ok 1:1 "), "hang", "longer than"},
	"endless lines":              {"tick", endless("ok\n"), "exact", "never handed out"},
}

// tell is an adapter that lies.
func tell(l lie) error {
	s, err := newServer(&hierarchical.Info, "1", []string{"pertick"})
	lines := bufio.NewScanner(os.Stdin)
	for err == nil && lines.Scan() {
		answer := s.answer(lines.Text())
		if strings.HasPrefix(lines.Text(), l.to) {
			answer = l.answer(s, lines.Text(), answer)
		}
		_, err = fmt.Println(answer)
	}
	return err
}

// Each lie is found, in bounded time, and the right rule or the right word is named.
func TestLies(t *testing.T) {
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, before := openTest(t, servedLie, name), time.Now()
			a.patience = time.Second
			verdicts, err := a.Verify(t.Context(), false, 2*time.Second, quietly)
			require.NoError(t, err)
			assert.Less(t, time.Since(before), 100*time.Second, "five, and shrinking, on a busy machine")
			i := slices.IndexFunc(verdicts, func(v schemetest.Verdict) bool {
				return v.Violation != nil && v.Violation.Rule == lie.rule && strings.Contains(v.Violation.Got, lie.got)
			})
			require.GreaterOrEqual(t, i, 0, "%v", verdicts)
			trail := verdicts[i].Violation.Trail
			assert.Equal(t, "> new", trail[0][:5])
			assert.LessOrEqual(t, len(trail), 30, "%v", trail)
		})
	}
}

// An adapter that knows the outcome of a file, and did not run it, is not believed.
func TestMeasuredLie(t *testing.T) {
	trace, err := workload.Spec{N: 100, T: 100, Dist: workload.Exp, Ticks: 1000, Seed: 1}.Trace()
	require.NoError(t, err)
	a, err := Open(t.Context(), "bash", "-c", fmt.Sprintf(`while read -r word _; do
		case $word in
		hello) echo hello 1 liar 1 run ;;
		run) echo ok 100000000 ;;
		outcome) echo ok %d %d ;;
		*) echo ok ;;
		esac
	done`, trace.Want.Expired, trace.Want.Checksum))
	require.NoError(t, err)
	defer a.Close()
	s := &timers{a: a}
	_, err = s.Measure(trace)
	require.ErrorContains(t, err, "its process used")
	trace.Want.Checksum++
	_, err = s.Measure(trace)
	require.ErrorContains(t, err, "with the checksum")
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

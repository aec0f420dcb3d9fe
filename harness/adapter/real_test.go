package adapter

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes/schemetest"
)

// realTimers is an adapter of time.AfterFunc, with a fault.
type realTimers struct {
	fault   string
	mu      sync.Mutex // of all below
	timers  map[string]*time.Timer
	actions map[string][]string
	events  []string
	since   time.Time
	starts  int
}

const realTick = 5 * time.Millisecond

func serveReal(fault string) {
	var r *realTimers
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if words[0] == "hello" || words[0] == "new" { // timers of before then report to what is forgotten
			r = &realTimers{fault: fault, timers: map[string]*time.Timer{}, actions: map[string][]string{}, since: time.Now()}
		}
		fmt.Println(r.answer(words))
	}
}

func (r *realTimers) answer(words []string) string {
	var until time.Time
	if words[0] == "tick" {
		until = r.since.Add(time.Duration(parse(words[1])) * realTick)
		time.Sleep(time.Until(until))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch words[0] {
	case "hello":
		return fmt.Sprintf("hello 1 afterfunc 1 clock=%v stale action restart", realTick)
	case "new":
	case "action":
		r.actions[words[1]] = strings.Split(strings.Join(words[2:], " "), "; ")
	case "tick":
		r.since = time.Now()
		events := r.events
		r.events = nil
		return fmt.Sprintf("ok @%d %s", r.since.Sub(until).Microseconds(), strings.Join(events, " "))
	default:
		return r.do(words)
	}
	return "ok"
}

// do does an operation with the lock held.
func (r *realTimers) do(words []string) string {
	t := r.timers[words[1]]
	stopped := words[0] != "start" && t != nil && (r.fault == "stop does nothing" || t.Stop())
	switch {
	case words[0] == "stop" && stopped:
		return "yes"
	case words[0] == "stop", words[0] == "restart" && !stopped:
		return "no"
	}
	id := words[len(words)-2]
	wait := time.Duration(parse(words[len(words)-1])) * realTick
	expiries := 1
	if r.starts++; r.starts%20 == 0 {
		switch r.fault {
		case "early":
			wait -= 3 * realTick
		case "late":
			wait += 3 * realTick
		case "lost":
			wait = time.Hour
		case "twice":
			expiries = 2
		}
	}
	begun := time.Now()
	var action func()
	action = func() {
		us := time.Since(begun).Microseconds()
		r.mu.Lock()
		defer r.mu.Unlock()
		event, between := fmt.Sprintf("%d:%s", us, id), "="
		for _, operation := range r.actions[id] {
			event += between + r.do(strings.Fields(operation))
			between = ","
		}
		r.events = append(r.events, event)
		if expiries--; expiries > 0 {
			time.AfterFunc(realTick, action)
		}
	}
	r.timers[id] = time.AfterFunc(max(0, wait), action)
	return "ok"
}

// Faults of a library with a clock of its own are found, and none is where there is none.
func TestRealClock(t *testing.T) {
	for fault, want := range map[string]string{
		"": "", "early": "exact", "late": "exact", "lost": "exact", "twice": "exact", "stop does nothing": "stop",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			a := openTest(t, servedLie, "real "+fault)
			verdicts, err := a.Verify(t.Context(), false, 0, quietly)
			require.NoError(t, err)
			require.Len(t, verdicts, len(realRules))
			broken := brokenRules(verdicts)
			if want == "" {
				assert.Empty(t, broken)
				return
			}
			i := slices.IndexFunc(verdicts, func(v schemetest.Verdict) bool { return v.Name == want })
			notChecked := verdicts[i].Programs == 0 && (fault == "late" || fault == "lost") // always, the machine was busy
			assert.True(t, notChecked || slices.Contains(broken, want), "%v", broken)
			for _, v := range verdicts {
				if v.Violation != nil {
					assert.NotEmpty(t, v.Violation.Trail)
					assert.Less(t, len(v.Violation.Trail), 60, "the lines about one timer")
					assert.Contains(t, strings.Join(v.Violation.Trail, "\n"), "start ", "%v", v.Violation)
				}
			}
		})
	}
}

// A timer that expires without a start is no matter of a busy machine, even where another one is late.
func TestWorseThanLate(t *testing.T) {
	r := &realRun{a: &Adapter{Tick: realTick}, lives: []*life{{id: 1, started: true}, {id: 2, after: []time.Duration{0}}}}
	v := r.judge("exact")
	require.NotNil(t, v)
	assert.Equal(t, "expire", v.Rule)
	assert.False(t, r.late)
}

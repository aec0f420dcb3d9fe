package tracefile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// lives reads a trace to its end and returns what it has, as text.
func lives(t testing.TB, r io.Reader, o Options) string {
	var b strings.Builder
	o.visit = func(start, interval, stay schemes.Tick, fate workload.Fate) {
		fmt.Fprintf(&b, "%d +%d of %d %v\n", start, stay, interval, fate)
	}
	trace, err := Read(r, o)
	require.NoError(t, err)
	fmt.Fprintf(&b, "tick %v, now %d, %d operations, %d started, %d outstanding, %d at most, %d unpaired, %d lost, cut %t\n",
		trace.Tick, trace.Now, trace.Operations, trace.Started, trace.Outstanding, trace.Peak, trace.Unpaired, trace.Lost, trace.Cut)
	return b.String()
}

// Each trace in testdata has its lives in a second file. In ftrace-4.4, timers are armed again, addresses are used
// again, and events are lost, on several processors. In interrupted-expiry, an interrupt starts and stops timers after
// another has left the wheel and before it expires; trace-cmd pads the names of events. In canceled-elsewhere, a cancel
// on one processor and a later start on another end the first life, not the second. Three have other events among the
// timers', in three formats. In late-stops, five stops have no effect.
func TestLives(t *testing.T) {
	for _, test := range []struct {
		trace, lives string
		hz           int
	}{
		{"ftrace-4.4", "ftrace-4.4", 1000}, {"text", "text", 0}, {"interrupted-expiry", "interrupted-expiry", 100},
		{"canceled-elsewhere", "canceled-elsewhere", 250}, {"late-stops", "late-stops", 0},
		{"ftrace-6.8", "other-events", 250}, {"trace-cmd", "other-events", 250}, {"perf", "other-events", 250},
	} {
		text, err := os.ReadFile("testdata/" + test.trace + ".txt")
		require.NoError(t, err)
		want, err := os.ReadFile("testdata/" + test.lives + ".lives")
		require.NoError(t, err)
		o := Options{Hz: test.hz}
		assert.Equal(t, string(want), lives(t, bytes.NewReader(text), o), test.trace)
		assert.Equal(t, string(want), lives(t, strings.NewReader("\ufeff"+string(text)), o), "%s, with a mark", test.trace)
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		_, _ = w.Write(text)
		require.NoError(t, w.Close())
		assert.Equal(t, string(want), lives(t, &z, o), "%s, compressed", test.trace)
	}
}

// Traces of Linux are recognized though their first timer comes late, and --hz alone is enough.
func TestLateTimers(t *testing.T) {
	text, err := os.ReadFile("testdata/perf.txt")
	require.NoError(t, err)
	want := lives(t, bytes.NewReader(text), Options{Hz: 250})
	for _, noise := range []string{"swapper 0 [000] 49.000000: sched:sched_switch: prev_comm=a ==> next_comm=b\n", "(a note)\n"} {
		late := strings.Repeat(noise, longestLine/len(noise)+1) + string(text)
		assert.Equal(t, want, lives(t, strings.NewReader(late), Options{Hz: 250}))
		if noise[0] != '(' {
			_, err := Read(strings.NewReader(late), Options{})
			assert.ErrorIs(t, err, ErrHz)
		}
	}
	_, err = Read(strings.NewReader("# tick: 1ms\n0 start 1 5\n"), Options{Hz: 250})
	assert.ErrorIs(t, err, ErrText)
}

func TestBadLines(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"0 start 7", `line 1: invalid operation "0 start 7" (expected`},
		{"0 start 7 0", "line 1: invalid interval 0 (expected 1 to"},
		{"0 start 7 -1", `line 1: invalid interval "-1" (expected a whole number below 2^64)`},
		{"x start 7 5", `line 1: invalid tick "x"`},
		{"0 start seven 5", `line 1: invalid timer "seven" (expected a whole number`},
		{"18446744073709551615 start 7 1", "line 1: start of timer 7 on tick 18446744073709551615, the clock's last"},
		{"18446744073709551614 start 7 2", "line 1: invalid interval 2 (expected 1 to 1)"},
		{"0 start 7 5\n\n# x\n2 start 7 5", "line 4: start of timer 7, which is outstanding from tick 0 to tick 5"},
		{"4 start 7 5\n3 stop 7", "line 2: tick 3 after tick 4: time goes backwards"},
		{"0 begin 7 5", `line 1: invalid operation "0 begin 7 5" (expected`},
		{"0 start 7 5 6", "line 1: invalid operation"},
		{"0 stop 7 5", "line 1: invalid operation"},
		{"0,start,7,5", `line 1: invalid operation "0,start,7,5" (expected TICK start TIMER INTERVAL, TICK restart ` +
			"TIMER INTERVAL or TICK stop TIMER, separated by blanks, as in 0 start 17 30000)"},
		{"# tick: soon\n0 start 1 1", `line 1: invalid tick "soon" (expected a duration`},
		{"# tick: 0s\n", `line 1: invalid tick "0s"`},
		{"0 start 1 " + strings.Repeat("1", 300_000), "line 1: longer than"},
		{"\x12\xfe\x00\x07 \x9f", "not a trace: it contains binary data"},
		{"\x12\xfe" + strings.Repeat("\x9f", 500), "line 1: invalid operation"},
		{"\xff\xfe0\x00 \x00", "UTF-16: save it as UTF-8"},
		{"\xfe\xff\x000\x00 ", "UTF-16: save it as UTF-8"},
		{"", "the trace has no timers"},
		{"# tick: 1ms\n", "the trace has no timers"},
		{"\x1f\x8bnot", "gzip"},
		{"# tracer: nop\n", "the trace has no timers: no line with start or timer_start"},
		{"# tracer: nop\n  a-1 [000] ....  soon: timer_cancel: timer=1\n", `line 2: invalid event "  a-1 [000] ....  soon: ` +
			`timer_cancel: timer=1": no time in seconds (expected a line such as [001] 12.004013: timer_start: timer=`},
		{"# tracer: nop\n  a-1 [000] ....  1: timer_cancel: timer=1\n", "no time in seconds"},
		{"# tracer: nop\n  a-1 [000] .... 10000000000000.0: timer_cancel: timer=1\n", "no time in seconds"},
		{"cpus=2\n  a-1 [000] 79218365514: timer_cancel: timer=1\n", "no time in seconds"},
		{"a 1 [000] timer:timer_cancel: timer=1\n", "no time in seconds"},
		{"# tracer: nop\n  a-1 ....  1.0: timer_cancel: timer=1\n", "no processor"},
		{"  a-1  0d.h3 2923481us : timer_cancel: timer=1\n", "no processor"},
		{"# tracer: nop\n  a-1 [000] ....  1.0: timer_cancel: \n", "no timer"},
		{"# tracer: nop\n  a-1 [000] ....  1.0: timer_start: timer=1 function=f expires=5\n", "no timeout"},
	} {
		hz := 0
		if strings.Contains(test.text, "timer_") || strings.Contains(test.text, "tracer") {
			hz = 250
		}
		_, err := Read(strings.NewReader(test.text+"\n"), Options{Hz: hz})
		require.Error(t, err, "%.60q", test.text)
		assert.ErrorContains(t, err, test.want, "%.60q", test.text)
	}
}

// A trace of random operations comes to what the operations say.
func TestRandomTraces(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		var b bytes.Buffer
		ends := map[uint64]schemes.Tick{}
		fates, late, now := [3]int{}, 0, schemes.Tick(0)
		for range 2000 {
			now += schemes.Tick(random.IntN(3) * random.IntN(1+random.IntN(300)))
			for timer, end := range ends {
				if end <= now {
					delete(ends, timer)
					fates[workload.Expired]++
				}
			}
			timer, interval := random.Uint64N(50), 1+schemes.Tick(random.IntN(500))
			_, alive := ends[timer]
			switch kind := workload.Kind(random.IntN(3)); {
			case kind == workload.Stop || alive && kind == workload.Start: // which would be an error
				fmt.Fprintln(&b, now, workload.Stop, timer)
				if alive {
					fates[workload.Stopped]++
				} else {
					late++
				}
				delete(ends, timer)
			default:
				fmt.Fprintln(&b, now, kind, timer, interval)
				if alive {
					fates[workload.Restarted]++
				}
				ends[timer] = now + interval
			}
		}
		s, err := Read(&b, Options{visit: func(_, interval, stay schemes.Tick, fate workload.Fate) {
			require.LessOrEqual(t, stay, interval)
			require.Equal(t, fate == workload.Expired, stay == interval)
		}})
		require.NoError(t, err)
		shares := 0.0
		for _, l := range s.Lives {
			shares += l.Share
		}
		require.InDelta(t, 1, shares, 1e-9)
		require.Equal(t, fates, s.Fates)
		require.Equal(t, len(ends), s.Outstanding)
		require.Equal(t, now, s.Now)
		require.Equal(t, late, s.Late)
		require.Equal(t, 2000, s.Operations)
		require.InDelta(t, s.N(), s.rate()*s.meanStay(), 1e-9)
	}
}

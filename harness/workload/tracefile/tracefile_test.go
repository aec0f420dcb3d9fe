package tracefile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

func TestLives(t *testing.T) {
	trace := `# tick: 10ms
# source: by hand: the test
# a comment
0 start 7 100

3 start 8 5
3 restart 7 20
8 start 9 1
9 stop 7
9 start 7 18446744073709551606
12 start 8 2
`
	want := `0 +3 of 100 restarted
3 +5 of 5 expired
8 +1 of 1 expired
3 +6 of 20 stopped
tick 10ms, now 12, 7 operations, 6 started, 2 outstanding, 2 at most, cut false
`
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, _ = w.Write([]byte(trace))
	require.NoError(t, w.Close())
	for name, r := range map[string]io.Reader{"text": strings.NewReader(trace), "compressed": &z} {
		var b strings.Builder
		s, err := read(r, 1, func(l life) { fmt.Fprintf(&b, "%d +%d of %d %v\n", l.start, l.stay, l.interval, l.fate) })
		require.NoError(t, err, name)
		fmt.Fprintf(&b, "tick %v, now %d, %d operations, %d started, %d outstanding, %d at most, cut %t\n",
			s.Tick, s.Now, s.Operations, s.Started, s.Outstanding, s.Peak, s.Cut)
		assert.Equal(t, want, b.String(), name)
	}
}

func TestBadLines(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"0 start 7", "line 1: start with 3 columns"},
		{"0 start 7 0", "line 1: invalid interval 0 (expected 1 to"},
		{"0 start 7 -1", `line 1: invalid interval "-1" (expected a whole number below 2^64)`},
		{"x start 7 5", `line 1: invalid tick "x"`},
		{"0 start seven 5", `line 1: invalid timer "seven" (expected a whole number`},
		{"0 stop 7", "line 1: stop of timer 7, which is not outstanding"},
		{"0 restart 7 5", "line 1: restart of timer 7, which is not outstanding"},
		{"0 start 7 5\n\n# x\n2 start 7 5", "line 4: start of timer 7, which is outstanding"},
		{"0 start 7 5\n5 stop 7", "line 2: stop of timer 7"},
		{"4 start 7 5\n3 stop 7", "line 2: tick 3 after tick 4: time goes backwards"},
		{"0 begin 7 5", `line 1: unknown operation "begin" (have start, stop, restart)`},
		{"0 start 7 5 6", "line 1: start with 5 columns"},
		{"0", "line 1: 1 columns"},
		{"# tick: soon\n0 start 1 1", `line 1: invalid tick "soon" (expected a duration`},
		{"# tick: 0s\n", `line 1: invalid tick "0s"`},
		{"0 start 1 " + strings.Repeat("1", 70_000), "line 1: longer than"},
		{"\x12\xfe\x00\x07 \x9f", errBinary.Error()},
		{"\x12\xfe" + strings.Repeat("\x9f", 500), "line 1: 1 columns"},
		{"", errEmpty.Error()},
		{"# tick: 1ms\n", errEmpty.Error()},
		{"\x1f\x8bnot", "gzip"},
	} {
		_, err := Read(strings.NewReader(test.text+"\n"), 1)
		require.Error(t, err, "%.60q", test.text)
		assert.ErrorContains(t, err, test.want, "%.60q", test.text)
	}
}

// A trace of random operations comes to what the operations say, read back.
func TestRandomTraces(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		var b bytes.Buffer
		w, err := NewWriter(&b, time.Millisecond, "random")
		require.NoError(t, err)
		ends := map[uint64]schemes.Tick{}
		fates, now := [3]int{}, schemes.Tick(0)
		expire := func() {
			for timer, end := range ends {
				if end <= now {
					delete(ends, timer)
					fates[workload.Expired]++
				}
			}
		}
		for range 2000 {
			now += schemes.Tick(random.IntN(3) * random.IntN(1+random.IntN(300)))
			expire()
			timer, interval := random.Uint64N(50), 1+schemes.Tick(random.IntN(500))
			switch _, alive := ends[timer]; {
			case !alive:
				require.False(t, w.Write(now, workload.Stop, timer, 0) || w.Write(now, workload.Restart, timer, interval))
				require.True(t, w.Write(now, workload.Start, timer, interval))
				ends[timer] = now + interval
			case random.IntN(2) == 0:
				require.False(t, w.Write(now, workload.Start, timer, interval))
				require.True(t, w.Write(now, workload.Stop, timer, 0))
				delete(ends, timer)
				fates[workload.Stopped]++
			default:
				require.True(t, w.Write(now, workload.Restart, timer, interval))
				ends[timer] = now + interval
				fates[workload.Restarted]++
			}
		}
		require.NoError(t, w.Flush())
		require.Equal(t, len(ends), w.Outstanding())
		s, err := read(&b, 1, func(l life) {
			require.LessOrEqual(t, l.stay, l.interval)
			require.Equal(t, l.fate == workload.Expired, l.stay == l.interval)
		})
		require.NoError(t, err)
		shares := 0.0
		for _, l := range s.Lives {
			shares += l.Share
		}
		require.InDelta(t, 1, shares, 1e-9)
		require.Equal(t, fates, s.Fates)
		require.Equal(t, len(ends), s.Outstanding)
		require.Equal(t, now, s.Now)
		require.Equal(t, 2000, s.Operations)
		require.InDelta(t, s.N(), s.rate()*s.meanStay(), 1e-9)
	}
}

// What would not be read is not written.
func TestTheWriterLeavesOutWhatDoesNotFit(t *testing.T) {
	var b strings.Builder
	w, err := NewWriter(&b, 0, "")
	require.NoError(t, err)
	assert.False(t, w.Write(5, workload.Start, 1, 0))
	assert.True(t, w.Write(5, workload.Start, 1, 10))
	assert.False(t, w.Write(4, workload.Start, 2, 10), "time goes backwards")
	assert.False(t, w.Write(6, workload.Restart, 1, 0))
	assert.False(t, w.Write(15, workload.Stop, 1, 0), "it has expired")
	require.NoError(t, w.Flush())
	assert.Equal(t, "5 start 1 10\n", b.String())
}

// A last line without an end is left out, as it may be cut within a number.
func TestCutTraces(t *testing.T) {
	s, err := Read(strings.NewReader("0 start 1 20\n5 start 2 3"), 1)
	require.NoError(t, err)
	assert.True(t, s.Cut)
	assert.Equal(t, 1, s.Started)
	assert.Contains(t, s.Missing(), "the last line, which is incomplete")
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	random := rand.New(rand.NewPCG(1, 1))
	for tick := range 100_000 {
		fmt.Fprintf(w, "%d start %d %d\n", tick, tick, 1+random.IntN(1000))
	}
	require.NoError(t, w.Close())
	s, err = Read(bytes.NewReader(z.Bytes()[:z.Len()/2]), 1)
	require.NoError(t, err)
	assert.True(t, s.Cut)
	assert.Greater(t, s.Started, 10_000)
}

// Timers that are outstanding at the end do not change n, λ and T.
func TestOutstandingAtTheEnd(t *testing.T) {
	var b strings.Builder
	for k := range 10 {
		fmt.Fprintf(&b, "0 start %d 1000000\n", 1000+k)
	}
	for k := range 100 {
		fmt.Fprintf(&b, "%d start %d 10\n", k/10, k)
	}
	b.WriteString("30 start 2000 5\n")
	s, err := Read(strings.NewReader(b.String()), 1)
	require.NoError(t, err)
	w := workload.NumbersOf(1, s.Lives)
	assert.InDelta(t, s.meanStay(), w.MeanStay, 0.02) // one timer has stayed for no tick
	assert.EqualValues(t, 1_000_000, s.Longest)
	assert.InDelta(t, (10*30+100*10)/30., s.N(), 1e-9)
}

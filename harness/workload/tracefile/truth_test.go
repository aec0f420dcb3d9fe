package tracefile

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/workload"
)

// machine generates a kernel trace whose truth is known: timers on several processors that are
// stopped, restarted, expire, and are armed again in their callbacks, with addresses that are reused.
type machine struct {
	random *rand.Rand
	hz     float64
	cpus   int
	events []event
	ends   [3]int  // by fate
	stays  float64 // seconds
	begun  int
	length float64
}

type event struct {
	seconds float64
	cpu     int
	text    string // with a format for the name's prefix
}

func (m *machine) emit(seconds float64, cpu int, kind, rest string, args ...any) {
	m.events = append(m.events, event{seconds, cpu, fmt.Sprintf("timer_"+kind+": timer="+rest, args...)})
}

// run generates the events of a machine on which timers live at some addresses.
func (m *machine) run(addresses int) {
	for a := range addresses {
		now, address := m.random.Float64()*0.05, fmt.Sprintf("0xffff%08x", a*0x40)
		for now < m.length {
			now = m.life(now, address) + m.random.ExpFloat64()*0.03 // the address is free for a while
		}
	}
	slices.SortStableFunc(m.events, func(a, b event) int { return cmp.Compare(a.seconds, b.seconds) })
}

const instant = 1e-7 // seconds between two events that belong together

// life generates a timer from its start to its stop or last expiry, and returns the time of that.
func (m *machine) life(now float64, address string) float64 {
	cpu := m.random.IntN(m.cpus)
	for {
		timeout := 2 + m.random.IntN(80)
		m.emit(now, cpu, "start", "%s function=f expires=%d [timeout=%d] cpu=%d flags=0x0",
			address, 4294893296+int64(now*m.hz)+int64(timeout), timeout, cpu)
		m.begun++
		stay := float64(timeout) / m.hz
		fate := workload.Fate(m.random.IntN(3))
		if fate != workload.Expired {
			stay *= m.random.Float64()
			cpu = m.random.IntN(m.cpus)
		}
		if now+stay > m.length {
			m.stays += m.length - now
			return m.length
		}
		now += stay
		m.stays += stay
		m.ends[fate]++
		m.emit(now, cpu, "cancel", address)
		switch fate {
		case workload.Stopped:
			return now
		case workload.Expired:
			m.emit(now+instant, cpu, "expire_entry", "%s function=f now=%d baseclk=0", address, 4294893296+int64(now*m.hz))
			if m.random.IntN(2) == 0 {
				return now + instant
			}
		}
		now += 2 * instant // restarted, or armed again in the callback
	}
}

// formats are how ftrace, trace-cmd and perf script print an event.
var formats = map[string]func(e event) string{
	"ftrace": func(e event) string {
		return fmt.Sprintf("          <idle>-0       [%03d] d.h3. %12.6f: %s\n", e.cpu, e.seconds, e.text)
	},
	"trace-cmd": func(e event) string {
		kind, rest, _ := strings.Cut(e.text, " ")
		return fmt.Sprintf("          <idle>-0     [%03d] %d.%06d: %-20s %s\n", e.cpu, int(e.seconds), int(e.seconds*1e6)%1e6, kind, rest)
	},
	"perf": func(e event) string {
		return fmt.Sprintf("swapper     0 [%03d] %12.6f: timer:%s\n", e.cpu, e.seconds, e.text)
	},
}

// compare demands the machine's shares of fates, within off, and its n within 2 %.
func (m *machine) compare(t *testing.T, s *Stat, off float64, what string) {
	t.Helper()
	ended := float64(m.ends[0] + m.ends[1] + m.ends[2])
	for fate, n := range m.ends {
		assert.InDelta(t, float64(n)/ended, s.Share(workload.Fate(fate)), off, "%s: %v", what, workload.Fate(fate))
	}
	assert.InEpsilon(t, m.stays/m.length, s.N(), 0.02, what)
}

// What is read of a kernel trace is the truth: ratios and rates within 1 %, n within 2 %, with the
// same numbers for a workload, on 1 to 16 processors and in every format.
func TestKernelTruth(t *testing.T) {
	processors := []int{2, 16}
	if testing.Short() {
		processors = processors[:1]
	}
	for _, cpus := range processors {
		for format, line := range formats {
			for _, addresses := range []int{20, 400} {
				what := fmt.Sprintf("%s, %d processors, %d addresses", format, cpus, addresses)
				m := &machine{random: rand.New(rand.NewPCG(uint64(cpus), uint64(addresses))), hz: 250, cpus: cpus, length: 6 + 500/float64(addresses)}
				m.run(addresses)
				var b strings.Builder
				for _, e := range m.events {
					b.WriteString(line(e))
				}
				s, err := Read(strings.NewReader(b.String()), Options{Hz: 250})
				require.NoError(t, err, what)
				m.compare(t, s, 0.004, what)
				assert.Equal(t, m.begun, s.Started, what)
				assert.Zero(t, s.Unpaired+s.Lost, what)
				w := workload.NumbersOf(1, s.Lives)
				assert.InEpsilon(t, s.meanStay(), w.MeanStay, 0.02, what) // a stay below a tick counts as one
				assert.InDelta(t, s.Share(workload.Stopped), w.Stopped, 0.01, what)
			}
		}
	}
}

// Lost events are counted in every form, and do not spoil the rest.
func TestLostEvents(t *testing.T) {
	m := &machine{random: rand.New(rand.NewPCG(1, 2)), hz: 250, cpus: 4, length: 20}
	if testing.Short() {
		m.length = 10
	}
	m.run(200)
	for note, each := range map[string]int{
		"CPU:1 [LOST 20 EVENTS]\n": 20, "CPU:1 [LOST EVENTS]\n": 1, "CPU:1 [20 EVENTS DROPPED]\n": 20, "CPU:1 [EVENTS DROPPED]\n": 1,
		"swapper 0 [001] 1.0: PERF_RECORD_LOST lost 20\n": 20,
	} {
		var b strings.Builder
		notes := 0
		for i, e := range m.events {
			if i%4000 == 1000 {
				b.WriteString(note)
				notes++
			}
			if i%4000 < 1000 || i%4000 >= 1020 {
				b.WriteString(formats["ftrace"](e))
			}
		}
		s, err := Read(strings.NewReader(b.String()), Options{Hz: 250})
		require.NoError(t, err)
		assert.Equal(t, each*notes, s.Lost, note)
		assert.NotEmpty(t, s.Missing())
		assert.Positive(t, s.Unpaired)
		m.compare(t, s, 0.005, note)
	}
}

// A last line without an end is left out, as it may be cut within a number.
func TestCutTraces(t *testing.T) {
	kernel := "  a-1 [000] d... 1.000000: timer_start: timer=a function=f expires=100 [timeout=57]\n"
	for _, text := range []string{kernel + kernel[:len(kernel)-3], kernel + kernel[:40], "0 start 1 20\n5 start 2 3"} {
		hz := 0
		if text[0] == ' ' {
			hz = 250
		}
		s, err := Read(strings.NewReader(text), Options{Hz: hz})
		require.NoError(t, err)
		assert.True(t, s.Cut)
		assert.Equal(t, 1, s.Started)
		assert.Contains(t, s.Missing(), "the last line, which is incomplete")
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	random := rand.New(rand.NewPCG(1, 1))
	for tick := range 100_000 {
		fmt.Fprintf(w, "%d start %d %d\n", tick, tick, 1+random.IntN(1000))
	}
	require.NoError(t, w.Close())
	s, err := Read(bytes.NewReader(z.Bytes()[:z.Len()/2]), Options{})
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
	s, err := Read(strings.NewReader(b.String()), Options{})
	require.NoError(t, err)
	w := workload.NumbersOf(1, s.Lives)
	assert.InDelta(t, s.meanStay(), w.MeanStay, 0.02) // one timer has stayed for no tick
	assert.EqualValues(t, 1_000_000, s.Longest)
	assert.InDelta(t, (10*30+100*10)/30., s.N(), 1e-9)
}

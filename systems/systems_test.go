package systems_test

import (
	"cmp"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/schemes/simplewheel"
	"timerlab/schemes/tree"
	"timerlab/systems"
	"timerlab/systems/locked"
	"timerlab/systems/sharded"
	"timerlab/systems/std"
)

// goes runs each action on a goroutine of its own.
func goes(action func()) { go action() }

// waits runs each action on the worker.
func waits(action func()) { action() }

type opener = func(o systems.Options) (systems.Service, error)

// kinds are the services.
var kinds = []kind{
	{name: "std", open: std.New},
	{name: "sharded", tick: time.Millisecond, open: shards(0, nil)},
	{name: "sharded, one wheel", tick: time.Millisecond, open: shards(1, nil)},
	{name: "sharded with an executor", tick: time.Millisecond, open: shards(4, goes)},
	{name: "sharded with an executor that waits", tick: time.Millisecond, workers: 1, open: shards(1, waits)},
	{name: "sharded, owned", tick: time.Millisecond, open: ownedTimers},
	{name: "locked, hashed wheel", tick: time.Second, open: lock(&hashunsorted.Chunked, schemes.Config{Slots: 64})},
	{name: "locked, heap", tick: time.Second, open: lock(&tree.Info, schemes.Config{})},
	{name: "locked, list", tick: time.Second, open: lock(&ordered.Rear, schemes.Config{})},
	{name: "locked, simple wheel", tick: time.Second, longest: 8191 * time.Second,
		open: lock(&simplewheel.Info, schemes.Config{Slots: 8192})},
	{name: "locked, picked", tick: time.Second, longest: 8191 * time.Second,
		open: lock(&hierarchical.Chunked, schemes.Config{Levels: []int{128, 64}})},
}

func shards(n int, execute func(func())) opener {
	return func(o systems.Options) (systems.Service, error) {
		o.Execute = execute
		return sharded.New(sharded.Options{Shards: n, Options: o})
	}
}

// owned is a service whose timers are its client's.
type owned struct{ *sharded.Service }

func ownedTimers(o systems.Options) (systems.Service, error) {
	f, err := sharded.New(sharded.Options{Options: o})
	return owned{f}, err
}

func (o owned) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if action == nil {
		return nil, systems.ErrAction
	}
	t := new(sharded.Timer)
	o.Init(t, action)
	return t, t.Start(d)
}

func lock(info *schemes.Info, cfg schemes.Config) opener {
	return func(o systems.Options) (systems.Service, error) {
		o.Tick = cmp.Or(o.Tick, time.Second)
		return locked.New(info, cfg, o)
	}
}

func TestBadOptions(t *testing.T) {
	for text, open := range map[string]func() (systems.Service, error){
		"Tick 0s (must be above 0)": func() (systems.Service, error) {
			return locked.New(&hashunsorted.Chunked, schemes.Config{}, systems.Options{})
		},
		"no scheme": func() (systems.Service, error) { return locked.New(nil, schemes.Config{}, systems.Options{Tick: 1}) },
		"(must be exact)": func() (systems.Service, error) {
			return locked.New(&hierarchical.NoMigrate, schemes.Config{}, systems.Options{Tick: 1})
		},
		"Tick -2ns (must be above 0)": func() (systems.Service, error) {
			return sharded.New(sharded.Options{Options: systems.Options{Tick: -2}})
		},
		"Shards -2 (must":                 func() (systems.Service, error) { return sharded.New(sharded.Options{Shards: -2}) },
		"Shards 4097 (must be 0 to 4096)": func() (systems.Service, error) { return sharded.New(sharded.Options{Shards: sharded.MostShards + 1}) },
	} {
		f, err := open()
		assert.Nil(t, f, text)
		assert.ErrorIs(t, err, schemes.ErrConfig)
		assert.ErrorContains(t, err, text)
	}
}

// A service of outside, such as a variable of a package, does not accept timers of a bubble that would never run there.
// The timers of outside are not touched.
func TestOutsideTheBubble(t *testing.T) {
	for _, k := range kinds {
		f, err := k.open(systems.Options{})
		require.NoError(t, err)
		timer, err := f.AfterFunc(time.Hour, func() { t.Error("it ran") })
		require.NoError(t, err)
		synctest.Test(t, func(t *testing.T) {
			for i := range time.Duration(100) {
				const want = "systems: this service was opened outside of the testing/synctest bubble that uses it (open it in the bubble)"
				assert.PanicsWithValue(t, want, func() { _, _ = f.AfterFunc(i*time.Second, func() {}) }, k.name)
				assert.PanicsWithValue(t, want, func() { timer.Reset(i * time.Second) }, k.name)
			}
		})
		ran := make(chan bool)
		_, err = f.AfterFunc(0, func() { close(ran) })
		require.NoError(t, err)
		<-ran
		assert.True(t, timer.Stop(), k.name)
		_, err = f.Close()
		assert.NoError(t, err)
	}
}

// childKind is the environment variable that lets this test be a program with a panicking action.
const childKind = "TIMERLAB_PANIC"

// Without a handler, a panic of an action ends the program.
func TestPanicEndsTheProgram(t *testing.T) {
	if name := os.Getenv(childKind); name != "" {
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
		f, err := kinds[i].open(systems.Options{})
		require.NoError(t, err)
		_, err = f.AfterFunc(0, func() { panic("the action's") })
		require.NoError(t, err)
		time.Sleep(time.Minute)
		return
	}
	for _, k := range kinds {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPanicEndsTheProgram$")
		cmd.Env = append(os.Environ(), childKind+"="+k.name)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, k.name)
		assert.Equal(t, 2, exit.ExitCode(), k.name)
		assert.Contains(t, string(out), "panic: the action's", k.name)
	}
}

// After a peak, a service with an engine keeps at most 5 % of its memory, also if timers are left.
func TestPeak(t *testing.T) {
	for _, k := range kinds[1:] { // the heap of std is Go's
		synctest.Test(t, func(t *testing.T) {
			f, err := k.open(systems.Options{})
			require.NoError(t, err)
			const peak = 200_000
			longest := cmp.Or(k.longest, 1000*time.Hour)
			before := memory(f)
			timers := make([]systems.Timer, peak)
			for i := range timers {
				// Few goroutines at a time, which Go keeps; in the order of deadlines, which a list takes at once.
				timers[i], _ = f.AfterFunc(longest/2+time.Duration(i/1000)*k.tick, func() {})
			}
			time.Sleep(k.tick)
			synctest.Wait()
			full := memory(f) - before - int64(unsafe.Sizeof(timers[0]))*peak
			for i, timer := range timers {
				if i%20 != 0 {
					timer.Stop()
				}
			}
			timers[0].Reset(longest) // one is left
			timers = nil
			time.Sleep(longest/2 + 500*k.tick)
			synctest.Wait()
			assert.LessOrEqual(t, memory(f)-before, full/20, "%s: of %d B at the peak", k.name, full)
			left, err := f.Close()
			assert.NoError(t, err)
			assert.Equal(t, 1, left)
		})
	}
}

// A Reset of a timer that has fired allocates no more than AfterFunc.
func TestAllocations(t *testing.T) {
	for _, k := range kinds {
		f, err := k.open(systems.Options{})
		require.NoError(t, err)
		ran := make(chan bool, 1)
		action := func() { ran <- true }
		var timer systems.Timer
		after := testing.AllocsPerRun(20, func() {
			timer, err = f.AfterFunc(0, action)
			require.NoError(t, err)
			<-ran
		})
		reset := testing.AllocsPerRun(20, func() {
			timer.Reset(0)
			<-ran
		})
		assert.LessOrEqual(t, reset, after, k.name)
		_, err = f.Close()
		require.NoError(t, err)
	}
}

// The calls of README's code and of sharded's documentation are in an Example, which compiles and runs.
func TestReadmeCode(t *testing.T) {
	texts := map[string]string{"README.md": "", "sharded/doc.go": "", "sharded/example_test.go": ""}
	for path := range texts {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts[path] = string(text)
	}
	_, code, found := strings.Cut(texts["README.md"], "```go\n")
	require.True(t, found)
	code, _, _ = strings.Cut(code, "```")
	for line := range strings.Lines(code) {
		assert.Contains(t, texts["sharded/doc.go"], strings.TrimRight("//\t"+line, "\t\n"))
		call, _, _ := strings.Cut(line, "//")
		assert.Contains(t, texts["sharded/example_test.go"], strings.TrimSpace(call))
	}
}

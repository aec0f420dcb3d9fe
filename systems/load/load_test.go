package load

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/systems"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const asRequests = "requests"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == asRequests { // a process that tests start
		each, _ := time.ParseDuration(os.Args[2])
		fmt.Fprintln(os.Stderr, Requests(os.Stdout, each))
		os.Exit(1)
	}
	flag.Parse()
	if shares := flag.Lookup("shares"); shares == nil || shares.Value.String() == "0" { // else what is measured counts
		mostWarm, mostPart, leastPart = 20*time.Millisecond, 5*time.Millisecond, 5*time.Millisecond
	}
	os.Exit(m.Run())
}

// load has 1,000 timers: half of the lives expire after 100 ms, the others are stopped or restarted after 50.
func load(restarts bool) Load {
	return Load{N: 1000, Rate: 1000 / 0.075, Tick: time.Millisecond, OneInterval: true, Budget: time.Minute, partTime: 5 * time.Millisecond,
		Lives: []workload.Life{{Interval: 100, Stay: 100, Share: 0.5}, {Interval: 100, Stay: 50, Share: 0.5, Restarts: restarts}},
		Loop:  run.NewSubject(&hierarchical.Info, 1024, 2), Requests: []string{os.Args[0], asRequests}}
}

// planned returns the plans of a population, and releases what they take, as other tests measure memory.
func planned(t *testing.T, p *population) (plans []plan) {
	p.ctx = t.Context()
	require.NoError(t, p.enqueue())
	t.Cleanup(p.queue.(schemes.Releaser).Release)
	for i := range p.N {
		plans = append(plans, p.plan(i))
	}
	return plans
}

// A population is in the steady state from the beginning: the timers of a part are as many as Little's law says, and
// have what is left of their intervals.
func TestPopulation(t *testing.T) {
	l := load(true)
	l.Rate = leastRate / 2 // time passes twice as fast
	p := newPopulation(l, sharded)
	assert.InDelta(t, 333, p.early, 1)
	steady := newPopulation(load(true), sharded)
	planned(t, steady)
	ended := 0 // by the driver, in 300 pauses of a quarter of a millisecond: as many in each, from the first on
	for range 300 {
		steady.queue.PerTick()
		steady.queue.Expire(func(id schemes.ID) { ended++; steady.queue.Start(200, id) })
	}
	assert.InDelta(t, 1.5*333, ended, 60)
	sum := 0.0
	for range 1000 {
		sum += float64(draw(p.pending[0]).Stay + draw(p.begun[1]).Stay)
	}
	assert.Equal(t, 150_000., sum)
	assert.InDelta(t, 50*time.Millisecond, p.duration(100), float64(time.Millisecond))
	mixed := []workload.Life{{Stay: 1, Share: 0.75}, {Stay: 9, Share: 0.25}}
	all := table(mixed, 1)
	assert.Equal(t, []schemes.Tick{1, 9}, []schemes.Tick{all[len(all)/4-1].Stay, all[len(all)/4].Stay})
}

// started has how many timers there are, and how many there were at each Reset.
type started struct {
	timers int
	resets []int
}

func (s *started) AfterFunc(time.Duration, func()) (systems.Timer, error) { s.timers++; return s, nil }
func (s *started) Reset(time.Duration) bool                               { s.resets = append(s.resets, s.timers); return true }
func (s *started) Stop() bool                                             { return true }
func (s *started) Close() (int, error)                                    { return 0, nil }

// Timers are restarted after a block of them is started. Of Go's, some lie before and between them. A list has them in order.
func TestFill(t *testing.T) {
	for more, of := range map[int]service{0: sharded, 59 + 3: goTimers} {
		l := load(true)
		l.N = 2*startBlock + 100
		p, s := newPopulation(l, of), &started{}
		p.started, p.opened, p.awake = make([]atomic.Value, p.N), s, 4*p.partTime
		planned(t, p)
		takes := time.Minute
		require.NoError(t, p.fillPart(&takes, 0, 1))
		assert.Equal(t, time.Minute, takes, "it does not take as long")
		assert.Len(t, s.resets, p.early, of.Name)
		assert.Equal(t, p.N+more, s.timers, of.Name)
		assert.Equal(t, startBlock+59*min(more, 1)+min(more, 1), s.resets[0], of.Name)
		assert.NotEqual(t, p.duration(100), p.duration(100), "they do not expire on ticks")
	}
}

// restarting has timers that are all restarted, after 50 ticks if nothing else is said.
func restarting(lives ...workload.Life) Load {
	l := load(true)
	l.Lives = lives
	for i := range lives {
		lives[i].Stay, lives[i].Share, lives[i].Restarts = cmp.Or(lives[i].Stay, 50), 1/float64(len(lives)), true
		l.OneInterval = l.OneInterval && lives[i].Interval == lives[0].Interval
	}
	return l
}

// A Reset to an earlier time puts a timer at its own deadline, until the service has looked at it. In each part sharded
// looks at some of the others, together.
func TestRestarts(t *testing.T) {
	alone := func(lives ...workload.Life) int {
		plans := planned(t, newPopulation(restarting(lives...), sharded))
		return len(slices.DeleteFunc(plans, func(timer plan) bool { return !timer.alone }))
	}
	assert.Zero(t, alone(workload.Life{Interval: 100}), "no deadline is earlier than the one before")
	assert.Zero(t, alone(workload.Life{Interval: 100}, workload.Life{Interval: 140}), "nor here, as it is 50 later")
	assert.InDelta(t, 500, alone(workload.Life{Interval: 100}, workload.Life{Interval: 1000}), 80, "the last or second last life was short, not the one before it")
	p := newPopulation(load(true), sharded)
	timer, each := plan{left: time.Second, restarted: time.Minute}, p.partTime/2
	for range 100 {
		timer.look = rand.N(time.Second)
		at := p.together(timer, time.Hour)
		assert.True(t, timer.look < at && at <= timer.look+each && (at == time.Second || at%each == time.Hour%each))
	}
	timer.alone = true
	assert.Equal(t, timer.look, p.together(timer, time.Hour))
}

// A timer that is stopped is started at its own deadline, but one that is reused has a place of its own, as if it was restarted.
func TestReuse(t *testing.T) {
	for _, of := range []service{goTimers, reused, storedTime} {
		for _, restarts := range []bool{false, true} {
			elsewhere := 0
			for _, timer := range planned(t, newPopulation(load(restarts), of)) {
				elsewhere += min(1, int(timer.restarted))
			}
			assert.Equal(t, restarts || of.Name == reused.Name, elsewhere > 300, of.Name)
		}
		p, s := newPopulation(load(false), of), &started{}
		p.started, p.opened, p.ctx = make([]atomic.Value, p.N), s, t.Context()
		for _, timer := range []int{0, p.early} { // one that is stopped, one that expires
			require.NoError(t, p.start(timer, 1))
			require.NoError(t, p.again(timer, 1, false))
		}
		assert.Equal(t, of.Name == goTimers.Name, len(s.resets) == 0, of.Name)
		assert.Equal(t, 4, s.timers+len(s.resets))
	}
}

// In an awake program, Go moves timers that are all restarted with one interval as early as at each restart.
func TestMoves(t *testing.T) {
	for _, c := range []struct {
		of                   service
		stay, other, earlier schemes.Tick
		mean                 float64 // until a timer is looked at
		why                  string
	}{
		{goTimers, 10, 10, 90, 5, "each time it is restarted"},
		{goTimers, 10, 20, 80, 9, "each 18 of the time, 20 but for one in five: one of 10 that is followed by one of 20"},
		{goTimers, 50, 100, 0, 26, "one that expires is not moved, nor those after it"},
		{sharded, 10, 10, 0, 50, "when its place is due, anywhere in the interval"},
		{storedTime, 10, 10, 0, 50, "when it fires, anywhere in the interval"},
	} {
		p := newPopulation(restarting(workload.Life{Interval: 100, Stay: c.stay}, workload.Life{Interval: 100, Stay: c.other}), c.of)
		mean := 0.
		for range 10_000 {
			life := draw(p.pending[1])
			in, _ := p.look(life, rand.N(life.Stay), p.earlier)
			mean += float64(in) / 10_000
		}
		assert.Equal(t, c.earlier, p.earlier, c.why)
		assert.InDelta(t, c.mean, mean, 0.1*c.mean+0.5, c.why)
	}
	for awake, mean := range map[time.Duration]float64{0: 5, 20 * time.Millisecond: 0.2*10 + 0.8*25, time.Hour: 50} {
		p, sum := newPopulation(restarting(workload.Life{Interval: 100, Stay: 10}), goTimers), 0.
		p.awake = awake
		for _, timer := range planned(t, p) {
			sum += timer.look.Seconds()
		}
		assert.InDelta(t, mean, sum, 0.2*mean, "1,000 timers, in ms: as when woken before it is awake, and earlier afterwards")
	}
}

// What a service takes is measured at its own rate, and is at least what the operations take, in each part. If a part has fewer
// lives, it counts for more.
func TestUse(t *testing.T) {
	idle := spent{{share: 4, within: 1}, {share: 5, within: 1}, {share: 4, within: 2}}
	few := spent{{share: 6, within: 2}, {share: 9, within: 2}, {share: 5, within: 3}}
	assert.Equal(t, []float64{1, 2, 0.5}, few.above(idle, leastRate/2, 0.5), "time is compressed")
	assert.Equal(t, []float64{2, 4, 1}, few.above(idle, 1000, 1))
	assert.Equal(t, 1.0, few.kept(1000))
	loops := map[string]*usage{ownLoop.Name: {woken: few, bytes: []int64{1}}, bareLoop.Name: {woken: idle}}
	for _, rate := range []float64{1000, leastRate / 2} {
		cost := Load{Rate: rate}.cost(ownLoop, loops, bareLoop, 3)
		assert.Equal(t, []float64{5, 8, 3}, cost.Woken.Parts, "all but the operations; a loop's ticks are not compressed")
	}
	none := NewShare(0)
	change := NewChange(Costs{Std: Cost{BytesLow: 1<<20 - 1, Woken: none, Awake: &none}, Others: []Cost{{Woken: none, Awake: &none}}, Loop: Cost{Woken: none}})
	assert.Zero(t, change.Least.Bytes, "less than 1 MiB is no saving")
	behind := spent{{lives: 1000, seconds: 2, share: 6, within: 6}, {lives: 1000, seconds: 1, share: 5, within: 4}, {lives: 500, seconds: 1, share: 4, within: 1}}
	assert.Equal(t, []float64{11, 3, 0}, behind.above(idle, 1000, 1), "twice as much as in the time measured, in two parts")
	assert.Equal(t, 23.0, behind.above(idle, 1_000_000, 1)[0], "no more than four times as much")
	assert.Equal(t, 0.625, behind.kept(1000))
	over := spent{{lives: 500, seconds: 1, share: float64(runtime.GOMAXPROCS(0)), within: 1}} // all processors, for half of the lives
	full := map[string]*usage{goTimers.Name: {woken: over, awake: over, bytes: []int64{1}}, noTimers.Name: {woken: idle, awake: idle}}
	idle[0].share, idle[0].within = 0.1, 0.1
	assert.True(t, Load{Rate: 1000}.cost(goTimers, full, noTimers, 1).Hopeless, "it would need more than there is")
	assert.False(t, Load{Rate: 500}.cost(goTimers, full, noTimers, 1).Hopeless)
}

// A service that has too many goroutines, or by its trial needs too much, is a result: it is not measured again, and never
// advised. What has no timers is no service, and cannot be behind.
func TestHopeless(t *testing.T) {
	defer func(most int) { mostGoroutines = most }(mostGoroutines)
	mostGoroutines = 1
	l, u := load(false), &usage{}
	l.partTime = time.Second // in which 1,024 timers expire, on any machine
	require.NoError(t, l.turn(t.Context(), goTimers, u))
	assert.True(t, u.hopeless)
	require.NoError(t, l.turn(t.Context(), goTimers, u))
	assert.Empty(t, u.woken)
	used := map[string]*usage{goTimers.Name: u, noTimers.Name: {}}
	std := l.cost(goTimers, used, noTimers, 3)
	assert.True(t, std.Hopeless)
	assert.Len(t, std.Woken.Parts, 3)
	none := NewShare(0, 0, 0)
	c := Costs{Std: std, Others: []Cost{{Name: "sharded", Woken: none, Awake: &none}}, Loop: Cost{Woken: none}}
	assert.Equal(t, "sharded", NewChange(c).Advised.Name)
	assert.Equal(t, "sharded", NewChange(Costs{Std: c.Others[0], Others: []Cost{std}, Loop: c.Loop}).Advised.Name)
}

// Requests come at random, a pause apart or more, until the sender ends.
func TestRequests(t *testing.T) {
	atOnce, now := 0, time.Now()
	for range 1000 {
		next := nextRequest(now, now, requestPause)
		assert.GreaterOrEqual(t, next.Sub(now), requestPause)
		if next.Sub(now) == requestPause {
			atOnce++
		}
	}
	assert.InDelta(t, 632, atOnce, 80, "the next request comes within as long as it takes on average, or later")
	p := newPopulation(load(true), sharded)
	p.ctx = t.Context()
	wait, end, err := p.requests()
	require.NoError(t, err)
	assert.NoError(t, wait())
	end()
	assert.ErrorContains(t, wait(), "no more requests")
	for want, sender := range map[string]string{"no more requests": os.Args[0], "no such file": "./none"} {
		p.Requests = []string{sender, "-unknown"}
		_, _, err = p.requests()
		assert.ErrorContains(t, err, want)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	p.ctx, p.Requests = ctx, []string{"sh", "-c", "exec sleep 60"}
	_, _, err = p.requests()
	assert.ErrorIs(t, err, context.DeadlineExceeded, "not that there are no more requests")
}

// Every service keeps up with the rate, on a clock that waits for it.
func TestKept(t *testing.T) {
	for _, of := range []service{goTimers, reused, storedTime, sharded, ownLoop} {
		for _, restarts := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				l := load(restarts)
				l.partTime = time.Second
				p, u := newPopulation(l, of), &usage{}
				p.clocked = true // a bubble has no other process that sends requests
				require.NoError(t, p.measure(t.Context(), u))
				assert.InDelta(t, 1, u.woken.kept(l.Rate), 0.05, of.Name)
				assert.Equal(t, mostWarm+time.Second, p.awake)
			})
		}
	}
}

// Every service runs the population to the end, with expiries, stops and restarts, and is named with what it holds.
func TestCosts(t *testing.T) {
	for _, restarts := range []bool{false, true} {
		var shown []string
		want := []string{"time.AfterFunc", "reused", "sharded", "a loop of your own"}
		if restarts {
			want = slices.Insert(want, 2, "stored time")
		}
		costs, err := load(restarts).Costs(t.Context(), func(service string, turn, turns int) {
			assert.Equal(t, []int{len(shown), (2 + len(want)) * loadTurns}, []int{turn, turns})
			shown = append(shown, service)
		})
		require.NoError(t, err)
		assert.Equal(t, loadTurns, costs.Turns)
		var names []string
		for _, s := range costs.All() {
			names = append(names, s.Name)
			assert.Positive(t, s.BytesHigh, s.Name)
			assert.GreaterOrEqual(t, s.BytesHigh, s.BytesLow)
			assert.GreaterOrEqual(t, s.BytesLow, int64(0), "some bytes of others may have gone")
			assert.Equal(t, s.Name == ownLoop.Name, s.Awake == nil)
			assert.Len(t, s.Woken.Parts, loadTurns)
			assert.Positive(t, s.Kept, "lives ended")
			if s.Awake != nil {
				assert.Len(t, s.Awake.Parts, loadTurns)
			}
		}
		assert.Equal(t, want, names)
		assert.Subset(t, shown, names)
	}
	l := restarting(workload.Life{Interval: 100})
	l.Loop = run.Subject{}
	costs, err := l.Costs(t.Context(), func(service string, _, _ int) {
		assert.NotContains(t, []string{reused.Name, ownLoop.Name, bareLoop.Name}, service, "nothing is stopped or expires; no scheme")
	})
	require.NoError(t, err)
	assert.Zero(t, costs.Loop.Name)
	u := &usage{}
	require.NoError(t, newPopulation(load(true), sharded).measure(t.Context(), u))
	assert.Positive(t, u.woken[0].lives*u.awake[0].lives)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("a signal"))
	_, err = load(false).Costs(ctx, func(string, int, int) {})
	assert.Equal(t, context.Canceled, err, "neither a service nor the signal is named")
}

// Stored time takes more up to some number of resets and less from another one on, if all turns say so.
func TestBreakEven(t *testing.T) {
	resets := func(perTimeout, turns int, stored ...float64) Resets {
		cost := func(name string, parts ...float64) Cost {
			s, awake := NewShare(parts...), NewShare(0, 0)
			return Cost{Name: name, Woken: s, Awake: &awake}
		}
		return Resets{N: 10, PerTimeout: perTimeout, Costs: Costs{Turns: turns, Std: cost("time.AfterFunc", 3, 3), Others: []Cost{cost("sharded", 0, 0), cost("stored time", stored...)}}}
	}
	all := []Resets{resets(1, 5, 4, 5), resets(3, 5, 4, 4), resets(10, 5, 2, 4), resets(30, 5, 2, 1), resets(100, 5, 1, 1)}
	for _, c := range []struct{ from, to, more, less int }{{0, 5, 3, 30}, {0, 3, 3, 0}, {2, 5, 0, 30}, {2, 3, 0, 0}, {0, 0, 0, 0}} {
		more, less := BreakEven(all[c.from:c.to], false)
		assert.Equal(t, []int{c.more, c.less}, []int{more, less})
	}
	more, less := BreakEven(all, true)
	assert.Zero(t, more+less, "no difference")
	all[4].Turns = 4
	_, less = BreakEven(all, false)
	assert.Zero(t, less, "too few turns")
	l := Resets{N: 300, PerTimeout: 3}.Load(30 * time.Second)
	assert.InDelta(t, 30, l.Rate, 0.01)
	for _, life := range append(l.Lives, Resets{N: 1, PerTimeout: 1}.Load(time.Second).Lives...) {
		assert.Equal(t, workload.Restarted, life.Fate())
	}
}

// What falls into some parts of the time only counts by its mean, in a share and in what is saved.
func TestMeanShare(t *testing.T) {
	s := meanShare(0.01, 0.01, 0.01, 0.05, 0.02)
	assert.InDelta(t, 0.02, s.CPU, 1e-12)
	assert.InDelta(t, 0.05, s.High, 1e-12)
	saved := s.over(NewShare(0.01, 0.01, 0.01, 0.01, 0.01))
	assert.InDelta(t, 0.01, saved.CPU, 1e-12)
	assert.Zero(t, NewShare(0, 0, 1).over(NewShare(0, 0, 0)).CPU, "the median")

	l := load(false)
	idle, one, all := make(spent, 3), spent{{}, {}, {share: 0.3}}, spent{{share: 0.6}, {share: 0.6}, {share: 0.6}}
	used := map[string]*usage{
		noTimers.Name: {woken: idle, awake: idle},
		goTimers.Name: {woken: one, awake: all, bytes: []int64{1}},
		sharded.Name:  {woken: one, awake: one, bytes: []int64{1}},
	}
	std := l.cost(goTimers, used, noTimers, 3)
	assert.InDelta(t, 0.1, std.Woken.CPU, 1e-12, "some are stopped")
	assert.InDelta(t, 0.6, std.Awake.CPU, 1e-12, "measured in another way")
	assert.Zero(t, l.cost(sharded, used, noTimers, 3).Woken.CPU)
	assert.Zero(t, load(true).cost(goTimers, used, noTimers, 3).Woken.CPU, "all that end early are restarted")
}

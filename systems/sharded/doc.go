// Package sharded is the service we recommend for very many timers. It replaces time.AfterFunc:
//
//	timers, err := sharded.New(sharded.Options{}) // once in the program
//	defer timers.Close()
//
//	idle, err := timers.AfterFunc(30*time.Second, conn.expire) // like time.AfterFunc
//	idle.Reset(30 * time.Second)                               // like time.Timer.Reset
//	idle.Stop()                                                // like time.Timer.Stop
//
//	timers.Init(&conn.timeout, conn.expire) // var timeout sharded.Timer: nothing is allocated
//	err = conn.timeout.Start(30 * time.Second)
//	conn.timeout.Stop()
//
// Tests may use it on the fake clock of testing/synctest if they open it in the bubble. If it was opened
// outside, for instance in a variable of a package, AfterFunc, Start and Reset panic in the bubble.
//
// # How it works
//
// A service is many hierarchical wheels with chunked slots, each under a lock of its own. A wheel is made when it is needed:
// an opened service takes some 13 kB if it may have 16 wheels, and one with few timers has one wheel. It has no goroutine while
// nothing is due: a timer of Go's runtime is set to when the next timer of a wheel may be due, and starts one.
//
//	AfterFunc, Start ──► the wheel of this goroutine, or the next one whose lock is free
//	                        │
//	                     alarm ──► a worker takes what is due and runs it; more workers if actions block
//
// All goroutines begin with the first wheel. One that finds its lock taken starts that timer on the next one; if that
// happens again within 10 ms, it stays with the next. If its wheel has 4,096 timers more than another one, it goes to the one
// with the fewest. After a second without a taken lock it comes back. So few timers have one wheel that wakes up, and busy
// goroutines have a wheel each.
//
// AfterFunc and Start start the timer on the caller's goroutine, so there is no queue of starts. One worker runs what is due
// on a wheel, one action after the other. Stop and Reset work until an action begins.
//
// A Reset to a later time, as of an idle connection, takes no lock and does not touch the wheel: it writes the
// new deadline into the timer. When the timer's old place in the wheel is due, a worker looks at it, and starts it for a part
// of the time that is left, so that many are looked at on one tick, though no more than some thousands. It looks at those of
// the next 16 ticks, too. So however often a timer is reset, it enters a wheel a few times in each of its durations. To look at
// one takes some 0.1 to 0.3 µs, for which due actions of the wheel wait: at most about a millisecond.
//
// While starts follow fast, a million a second for each wheel, one in 64 reads the clock. The others take a time up
// to a quarter of a tick after the present, and the wheels' ticks are that much shorter than Options.Tick. A Reset reads the
// clock; so to start a timer again that was stopped, Start is faster.
//
// An action runs at most a tick late, plus the delay of scheduling, plus the delay by actions and looks on the same wheel that
// were due before it. While timers that are due wait for longer than 1 ms, the workers of their wheel double each ms;
// actions so quick that 256 begin in a ms are left to at most GOMAXPROCS workers. Actions do not run in the order of
// the starts. With Options.Execute, all actions are handed out when due: func(action func()) { go action() } is what
// time.AfterFunc does.
//
// # What happens if
//
//   - an action blocks: n actions that block delay others on their wheel by a few ms for each factor
//     of two, not by their sum.
//   - an action panics: Options.Panic is called, and the service continues; without it, the program ends.
//   - an action calls runtime.Goexit: that action ends, and the service continues.
//   - the clock stands still, as while the machine is suspended: no action runs, and no timer is lost.
//     All run when the clock has reached their deadlines, so later by the wall clock.
//   - ticks are missed, because the process was stopped or Options.Execute blocked: what became due runs
//     afterwards, each action once, after one wake-up. The ticks are not passed one by one.
//   - ten million timers are pending, whatever goroutines started them: each takes about 75 bytes (64 on 32 bits) besides
//     its action, and no wheel has 10,000 more than its share. That bounds for how long a lock is held if
//     all are due on one tick, which they may be by Resets, too.
//   - nothing is due: the service does not wake up, but to look at timers that were reset.
//   - an action resets its own timer, as a ticker would: each period is up to a tick longer than the duration.
//     A Reset to time.Until(next), where next moves on by a period each time, does not drift.
//
// # Others
//
// Tokio sharded its wheel, too, and took that back because of contention (tokio-rs/tokio#7226): there each timer
// chose a wheel at random, and a thread that parked locked all of them, one after the other (tokio-rs/tokio#6534).
// Here a goroutine stays with a wheel while its lock is free, so that timers are mostly stopped and reset where the next one is
// started; and each wheel has an alarm of its own.
package sharded

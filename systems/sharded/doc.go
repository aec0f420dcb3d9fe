// Package sharded is the service we recommend: many hierarchical wheels with chunked slots, each
// under a lock of its own. It has no goroutine while nothing is due: a
// timer of Go's runtime is set to when the next timer of a wheel may be due, and starts one.
//
//	AfterFunc ──► the wheel of this goroutine, or the next one whose lock is free
//	                 │
//	              alarm ──► a worker takes what is due and runs it; more workers if actions block
//
// AfterFunc starts the timer on the caller's goroutine, under a lock that is usually free, so
// there is no queue of starts. One worker runs what is due on a wheel, one action after the
// other. Stop and Reset work until an action begins.
//
// While starts follow fast, a million a second for each wheel, one in 64 reads the clock. The
// others take a time up to a quarter of a tick after the present, and the wheels' ticks are that
// much shorter than Options.Tick.
//
// Of many timers started in a row for one tick, each wheel gets some: what is due on a tick is taken
// from a wheel at once, and its lock should not be held for longer than 1 ms.
//
// An action runs at most a tick late, plus the delay of scheduling, plus that of actions on the
// same wheel that were due before it. While timers that are due wait for longer than 1 ms, the
// workers of their wheel double each ms, so that n actions that block delay the next one by a few
// ms for each factor of two, not by their sum; actions so quick that 256 begin in a ms are left to
// at most GOMAXPROCS workers. The order of actions is not that of the starts. With
// Options.Execute, all actions are handed out when due: func(action func()) { go action() } is
// what time.AfterFunc does.
//
// Tokio sharded its wheel, too, and took that back because of contention (tokio-rs/tokio#7226):
// there each timer chose a wheel at random, and a thread that parked locked all of them, one after
// the other (tokio-rs/tokio#6534). Here a goroutine stays with a wheel until it finds its lock taken,
// so that timers are mostly stopped and reset where the next one is started; and each wheel has an
// alarm of its own.
package sharded

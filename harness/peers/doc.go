// Package peers puts third-party timers, unmodified, behind the interface of a scheme,
// so that they run the same workloads as the seven schemes and their outcomes are
// verified in the same way. It is a module of its own: building a scheme downloads no
// peer. Each Scenario is a closed loop, in which our schemes take part too.
//
// Peers lists them, the source and the configuration of each: that of its README, its examples
// or its own library, since most programs use it. Where the number of slots is a choice,
// Config.Slots sets it. The program in jvm measures Netty's HashedWheelTimer and the JDK's
// scheduled pool; it does not use schemes.
//
// # Two kinds of clocks
//
// The first five have no clock: the adapter counts ticks, as a scheme does. They keep the
// contract and pass its conformance suite, except that only the first two do not
// allocate.
//
// The others read package time and run their own goroutines. They run in a bubble of
// testing/synctest, where time is fake: PerTick sleeps for one tick of the peer, waits
// until all goroutines are idle, and collects what they reported. Outside a bubble Start,
// Stop and Close work, in real time, and PerTick panics. All five work in bubbles.
// Importing two of the packages has effects outside of them: go-timewheel starts a wheel
// with a tick of one second, and go-zero sets GOMAXPROCS of the whole process by the
// limits of its container.
//
// # When peers are due
//
// In ticks of the peer. A timer that is started on a tick should expire on the interval-th
// tick after it. One started between two ticks cannot, unless the peer keeps exact time:
// it is early or late by a part of a tick. The tests assert this table for the versions in
// go.mod, over 13,000 expiries of timers started on a tick, while nearly as many are
// stopped, and with several numbers of slots:
//
//	              tick    started on a tick  started between two
//	valueheap     -       exact              -
//	lean          -       exact              -
//	containerheap -       exact              -
//	googlebtree   -       exact              -
//	tidwallbtree  -       exact              -
//	gotimers      1 ms    exact              exact
//	timingwheel   1 ms    exact              up to a tick early
//	antlabs       10 ms   1 late             up to a tick late
//	gotimewheel   1 s     1 late             up to a tick late
//	gozero        1 s     exact              up to a tick early
//
// None loses or doubles a timer, reports one that was stopped in time, or fails to stop
// one. timingwheel is early only while other timers keep its goroutine awake; one alone is
// exact. gotimewheel divides floating-point seconds: if the tick is not a whole number of
// seconds or a second divided by a power of two, rounding makes some timers a tick less
// late than others.
//
// A fake clock hides one thing: gotimewheel and gozero count the ticks of a time.Ticker,
// which drops ticks that are not received in time, so that a stall of the process delays
// every timer by as much for good. The others read the clock.
//
// # What an adapter adds
//
// All peers share one store: a stale handle is refused whatever the peer would do, and a due
// timer can be stopped. All except the first two also share one table, from records to the
// peer's own timers. The two cost 12 ns per start and stop, on a machine on which a
// time.AfterFunc and its Stop take 140 ns, and 28 to 36 bytes per timer. A peer on a real
// clock reports an expiry by appending to a slice under a lock, from the goroutine on which
// it calls back.
//
// A tick of an adapter of nothing costs 0.6 µs in a bubble. There, starting and waking a
// goroutine costs more than outside, a disadvantage for peers that call back on their own
// goroutines; that they need no system call to sleep is an advantage. Every choice favours
// the peer: key comparisons are plain functions, an idle tick does not access a queue,
// containerheap restarts in place.
//
// Peers on a real clock have no Restart here: they are driven by Stop and Start, although
// time.Timer, antlabs, gotimewheel and gozero have a Reset of some kind.
//
// # The baseline
//
// valueheap is the fastest heap in safe Go that we could write: entries by value, four
// siblings in a cache line, gaps that move instead of entries that swap, no branch on which
// sibling is first, prefetching where the heap is larger than the cache, nothing for the
// garbage collector to scan. The comments in its files say what each of them gained.
//
// # The lower bound for linked wheels
//
// lean is scheme 7 on four wheels of 256 slots with nothing that the contract does not demand. What
// the linked schemes take more than it, on the same workload, is what their common storage costs.
package peers

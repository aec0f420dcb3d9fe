// Package peers puts third-party timers, unmodified, behind the interface of a scheme, so that they run the
// workloads of the seven schemes and their outcomes are verified in the same way. It is a module of its
// own: building a scheme downloads no peer.
//
// Peers lists them. Each is configured as in its README, its examples or its own library, since most programs
// use it so. Where the number of slots is a choice, Config.Slots sets it. README.md says how to add one.
//
// server_test.go has the workloads that are measured on peers and on our schemes: package workload's,
// and PairHot, which no trace contains. Each sample is made by a process of its own, the binary of
// this package's tests, since testing/synctest works in tests alone. Times are CPU time, and the collector runs.
//
// # Two kinds of clocks
//
// The first four have no clock: the wrapper counts ticks, as a scheme does. They keep the contract and pass its
// conformance suite, except that only the first two do not allocate.
//
// The others read package time and run their own goroutines. They run in a bubble of testing/synctest, where
// time is fake: PerTick sleeps for one tick of the peer, waits until all goroutines are idle, and collects what
// they reported. Outside a bubble Start, Stop and Close work, in real time, and PerTick panics. Importing
// go-zero sets GOMAXPROCS of the whole process by the limits of its container; importing gtimer and go-timewheel starts
// goroutines, which wake every 100 ms and every second, and the latter keeps 2 MB.
//
// # When peers are due
//
// A timer that is started on a tick of the peer expires on the interval-th tick after it, with every peer. One
// started between two ticks cannot, unless the peer keeps exact time: it is early by a part of a tick. The
// tests assert this and the table for the versions in go.mod, over 13,000 expiries of timers started on a tick,
// while nearly as many are stopped, and with several numbers of slots:
//
//	              tick    started between two ticks
//	valueheap     -       -
//	lean          -       -
//	containerheap -       -
//	googlebtree   -       -
//	gotimers      1 ms    exact
//	timingwheel   1 ms    up to a tick early
//	gozero        1 s     up to a tick early
//	goframe       100 ms  up to a tick early
//	antlabs       10 ms   up to a tick early
//	gotimewheel   1 s     up to a tick early
//
// antlabs and gotimewheel drop parts of a tick and then wait for one tick more (rfyiamcool/go-timewheel#28). They are
// asked for half a tick less: by themselves, their timers of whole ticks are up to a tick late. No peer loses or
// doubles a timer, reports one that was stopped in time, or fails to stop one. A fake clock hides one thing: gozero,
// goframe and gotimewheel count the ticks of a time.Ticker, which drops ticks that are not received in time, so that a
// stall of the process delays every timer by as much for good. The others read the clock.
//
// # What the wrapper adds
//
// All except valueheap and lean share one wrapper, with a table from handles to the peer's own timers: a stale
// handle is refused whatever the peer would do, and a due timer can be stopped. It costs some 12 ns per start and
// stop, on a machine on which a time.AfterFunc and its Stop take 140 ns, and 32 bytes per timer. A peer on a real
// clock reports an expiry by appending to a slice under a lock, from the goroutine on which it calls back. A tick
// without a timer costs 0.6 µs in a bubble, where starting and waking a goroutine costs more than
// outside, and going to sleep less. Otherwise every choice favours the peer: comparisons of keys are plain
// functions, an idle tick does not access a queue, containerheap restarts in place. Peers on a real clock are
// driven by Stop and Start, although most have a Reset of some kind; antlabs' deadlocks if the timer stays in its slot.
//
// # Two yardsticks
//
// valueheap is the fastest heap in safe Go that we could write, so that schemes are not compared with a
// needlessly slow one. lean is scheme 7 with nothing that the contract does not demand: the linked schemes'
// additional time, on the same workload, is the cost of their common storage.
package peers

// Package peers puts other people's timers, unmodified, behind the interface of a
// scheme, so that they run the same workloads as the seven schemes and are judged
// by the same outcome. It is a module of its own: nobody who builds a scheme
// downloads a peer.
//
//	valueheap      ours: the baseline that ratios are stated against
//	containerheap  container/heap, used as its documentation does
//	googlebtree    google/btree
//	tidwallbtree   tidwall/btree
//	gotimers       time.AfterFunc
//	timingwheel    RussellLuo/timingwheel
//	antlabs        antlabs/timer
//	gotimewheel    rfyiamcool/go-timewheel
//	gozero         go-zero's collection.TimingWheel
//
// Peers has what each is made of and how it is configured: as its own README,
// examples or library make it, since that is what most programs run. Where it has a
// number of slots to choose, Config.Slots chooses it. The program in jvm measures
// Netty's HashedWheelTimer and the JDK's scheduled pool; it does not use schemes.
//
// # Two kinds of clocks
//
// The first four have no clock: the adapter counts ticks, as a scheme does. They
// keep the contract and pass its conformance suite, but that only the baseline
// allocates nothing.
//
// The others read package time and run their own goroutines. They run in a bubble
// of testing/synctest, where time is faked: PerTick sleeps one tick of the peer's,
// waits until all goroutines are idle, and takes over what they reported. Outside a
// bubble Start, Stop and Close work, in the time of the wall, and PerTick panics.
// All five work in bubbles. Two things happen outside of them, because importing the
// packages is enough: go-timewheel starts a wheel of its own, of one tick a
// second, and go-zero sets GOMAXPROCS by the limits of its container, for the whole
// process.
//
// # When peers are due
//
// In ticks of the peer's. A timer that is started on a tick is meant to expire the
// interval-th tick from there. One started between two ticks cannot, unless the
// peer keeps exact time: it is early or late by a part of a tick. The tests assert
// this table at the versions of go.mod, over 13,000 expiries of timers started on a
// tick, while nearly as many are stopped, and with several numbers of slots:
//
//	              tick    started on a tick  started between two
//	valueheap     -       exact              -
//	containerheap -       exact              -
//	googlebtree   -       exact              -
//	tidwallbtree  -       exact              -
//	gotimers      1 ms    exact              exact
//	timingwheel   1 ms    exact              up to a tick early
//	antlabs       10 ms   1 late             up to a tick late
//	gotimewheel   1 s     1 late             up to a tick late
//	gozero        1 s     exact              up to a tick early
//
// None loses or doubles a timer, reports one that was stopped in time, or fails to
// stop one. timingwheel is early only while its goroutine is kept awake by other
// timers; one alone is exact. gotimewheel divides floating-point seconds: where the
// tick is not a power of two of a second or a whole number of them, rounding makes
// some timers a tick less late than others.
//
// What a fake clock cannot show: gotimewheel and gozero count the ticks of a
// time.Ticker, which drops ticks that nobody takes in time, so that a stall of the
// process makes every timer late by as much for good. The others read the clock.
//
// # What an adapter adds
//
// All peers but the baseline share one table, from handles to what the peer itself
// calls a timer, with generations, so that a stale handle is refused whatever the
// peer would do, and one list of due timers, so that a due timer can be stopped.
// That makes 12 ns a start and stop, on the machine where a pair of time.AfterFunc
// and Stop takes 140, and 16 to 32 bytes a timer. A peer on a real clock reports
// an expiry by appending to a slice under a lock, from the goroutine that it calls
// back on.
//
// BubbleNull does nothing but that: measured beside the peers, it tells what the
// adapter and a bubble's tick cost, which is 0.6 µs. A bubble makes starting
// a goroutine and waking one dearer than they are outside, so peers that call back on
// goroutines of their own are at a disadvantage; that they need no system call to
// sleep is an advantage. Where a choice is to be made, it favours the peer: key
// comparisons are plain functions, an idle tick does not ask a tree, containerheap
// restarts in place.
//
// Peers on a real clock have no Restart here: they are driven by Stop and Start,
// although time.Timer, antlabs, gotimewheel and gozero have a Reset of some kind.
//
// # The baseline
//
// valueheap is as good as we can make a heap in safe Go: entries by value, four
// siblings in a cache line, gaps that move instead of entries that swap, no branch on
// which sibling is first, reading ahead where the heap is larger than the cache,
// nothing for the garbage collector to scan. The comments in its files say what each
// of them brought.
package peers

// Package netty is Netty's HashedWheelTimer (as of Netty 4.1): a hashed wheel with rounds, by
// default 512 slots of 100 ms, which only its one worker accesses. Starts and stops go into
// queues. On every tick the worker moves at most 100,000 new timers into the wheel, so that the
// length of a tick is bounded, removes the stopped ones, and runs what is due or hands it to
// an executor. From the first start on it wakes up for every tick, empty or not. The number
// of pending timers can be limited.
//
// An action runs at most a tick late, plus a tick for every 100,000 starts queued before it in
// the same tick, plus the delays of scheduling and of earlier actions. The warning about too
// many instances and the rounding of sleeps on Windows are left out.
package netty

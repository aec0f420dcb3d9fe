// Package netty is Netty's HashedWheelTimer (as of Netty 4.1): a hashed wheel with rounds,
// 512 slots of 100 ms by default, which only its one worker touches. Who starts or stops a
// timer puts it into a queue; on every tick the worker moves at most 100,000 new ones into
// the wheel, so that a tick is bounded, takes out those that were stopped, and runs what is
// due, or hands it to an executor. It wakes for every tick, empty or not, from the first
// start on. The number of pending timers can be limited.
//
// An action is late by at most a tick, and what scheduling and the actions before it add;
// behind more than 100,000 starts in a tick, by a tick more for each 100,000 of them. Left
// out: the warning about too many instances, and Windows' rounding of sleeps.
package netty

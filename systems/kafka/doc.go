// Package kafka is the timer of Apache Kafka's purgatory (SystemTimer and TimingWheel, as of
// Kafka 3): hierarchical wheels of 20 slots each, the lowest of 1 ms, whose higher levels
// are made when an interval needs them, and one worker, the reaper, which sleeps until the
// earliest slot that has a timer, so that empty ticks cost nothing.
//
// Kafka keeps its slots in a delay queue, a heap, to know which comes next; here the
// scheme tells it (schemes.Nexter). Kafka rounds both the moment of the start and the
// deadline down, so that a timer can be early by up to a tick; here none is early: an action
// runs at most a tick late, and what the worker's scheduling and earlier actions add.
// Kafka's starts share a lock for reading, have one for each slot, and only the reaper takes
// it for writing; here there is one lock. Its reaper also wakes every 200 ms, to see whether
// it is to end; here it does not. Kafka's executor is one thread; here it is the worker, or
// what Execute is. Left out: timers that are cancelled by their entry's removal
// only, and the counter of tasks.
package kafka

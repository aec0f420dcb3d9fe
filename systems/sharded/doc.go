// Package sharded is the facility we recommend: two hierarchical wheels with chunked slots for
// each processor. Each wheel has a lock, a collector that sleeps until the earliest timer is
// due, so that empty ticks cost nothing, and a pool of workers that run the actions.
//
//	AfterFunc ──► the wheel of this processor, or the next one whose lock is free
//	                 │
//	             collector ──► all that is due ──► pool: one worker, more if actions block
//
// AfterFunc starts the timer on the caller's goroutine, under a lock that is usually free, so
// there is no queue of starts. A Reset to a later time writes to the timer's record only. Due
// actions are queued in one piece, and one worker runs them one after the other, without a
// goroutine for each.
//
// An action runs at most a tick late, plus the delays of scheduling and of quick actions that
// were due before it on the same wheel. After one or two ticks (or milliseconds, if they are
// longer), another worker continues with the actions queued after one that blocks.
package sharded

// Package sharded is the facility that we would use: for each processor two hierarchical
// wheels with chunked slots, each with a lock, a worker that sleeps until the earliest timer,
// so that empty ticks cost nothing, and a crew that runs the actions.
//
//	AfterFunc ──► the wheel of this processor, or the next one whose lock is free
//	                 │
//	              worker ──► all that is due ──► crew: one runner, more where actions are slow
//
// Who starts a timer does it itself, under a lock that nobody else wants at that moment, so
// that there is no queue to be handed over. A Reset to a later time is a write to the
// timer's record. What is due goes to the crew in one piece, and one runner after another
// action does not start a goroutine for each.
//
// An action is late by at most a tick, and what scheduling and quick actions before it, of
// its own wheel, add. Behind one that takes long another runner goes on after one or two
// ticks (or milliseconds, if they are more).
package sharded

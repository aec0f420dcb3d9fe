// Package workload makes traces: sequences of Start, Stop and Restart operations, each stamped with a tick, together
// with the outcome that any exact scheme must produce. A trace is made before anything is timed and without any
// scheme: a timer's fate is drawn together with its interval, so the expiries of every tick are known from the start.
//
// # Time
//
// A driver calls PerTick, then Expire, then applies the operations stamped with this tick, in order; tick 0 is before
// the first PerTick. A timer started at tick s with interval J therefore expires in the Expire of tick s+J, and a
// stop stamped s+J would come too late for it.
//
//	tick      s                       s+stay            s+J
//	          |-----------------------|- - - - - - - - - |
//	        Start             Stop or Restart         expiry
//
// Ages are counted after a tick's operations: a timer that stays S ticks is outstanding at the ages 0 (its own
// start), 1, ..., S-1. That is S moments, so starts at a rate of λ per tick keep λ·E[S] timers outstanding after each
// tick's operations, which is Little's law without a correction.
//
// # Steady state
//
// A trace begins with N starts at tick 0 that put the scheme in its steady state, so that no warm-up is needed. By
// the residual-life argument of the paper's section 3.2, a timer found outstanding is one of stay S with a
// probability proportional to S, and its age is equally likely each of 0..S-1; so a remaining stay of r ticks has
// probability P(S >= r)/E[S], r >= 1. The prefilled timer gets the interval that it has left, and its stop or restart
// where it would have come. Both steps are exact for the discrete tables used.
//
// # Reproducibility
//
// Interval tables are made of a file of quantiles in integer arithmetic, and random
// numbers by hashing, so that one Spec makes one stream on every processor.
package workload

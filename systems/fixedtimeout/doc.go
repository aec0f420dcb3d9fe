// Package fixedtimeout is a facility whose timers all have the same timeout, such as the idle
// connections of a server. A new timer is then always the last one: an ordered list that is
// searched from the rear (ordered-rear) finds its place at once, and every operation is O(1).
// A Reset to another duration is allowed, but walks past all timers with later deadlines.
//
// Set is the same for keys: adding a key again resets its timer.
//
// An action runs at most a tick late, plus the delays of scheduling and of earlier actions.
package fixedtimeout

// Package fixedtimeout is a facility whose timers all have one timeout: the list of idle
// connections of many servers, in which a new timer is always the last. An ordered list
// that is searched from the rear (ordered-rear) finds its place at once: everything is O(1).
// A Reset to another duration is allowed, but passes all timers that are due later.
//
// Set is the same for keys: adding one again is its reset.
//
// An action is late by at most a tick, and what scheduling and the actions before it add.
package fixedtimeout

// Package copies copies a Timer, which go vet must report: TestCopies runs it.
package copies

import "timerlab/systems/sharded"

type conn struct{ idle sharded.Timer }

// Copy copies.
func Copy(c *conn) conn { return *c }

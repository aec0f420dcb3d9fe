package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"timerlab/systems"
)

// Run runs an action. If handler is not nil, it is called with the value of a panic.
//
//go:noinline
func Run(action func(), handler func(any)) {
	if handler != nil {
		defer func() {
			if v := recover(); v != nil {
				handler(v)
			}
		}()
	}
	action()
}

// callExecute calls Options.Execute.
//
//go:noinline
func callExecute(execute func(func()), action func()) { execute(action) }

var errInAction = errors.New("Close was called by one of them")

// inAction reports whether an action of any service, or an Execute, has called this function: whether
// Run or callExecute is on the goroutine's stack.
func inAction() bool {
	var pcs [64]uintptr
	for skip := 1; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		for frames, more := runtime.CallersFrames(pcs[:n]), n > 0; more; {
			var f runtime.Frame
			f, more = frames.Next()
			if _, name, ours := strings.Cut(f.Function, "systems/internal/engine."); ours && (name == "Run" || name == "callExecute") {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}

// Ending waits for the end of a service.
type Ending struct {
	began sync.Once
	ended chan struct{} // closed when wait has returned
}

// Wait calls wait once, which waits for all goroutines of a service, and returns when it has returned. busy returns
// how many actions and calls of Execute keep it from that. While there are any, Wait returns an error wrapping
// ErrRunning if ctx is done, or at once if one of them calls it. No action may begin meanwhile.
func (e *Ending) Wait(ctx context.Context, busy func() int, wait func()) error {
	if n := busy(); n > 0 && inAction() {
		return fmt.Errorf("%w: %d (%w)", systems.ErrRunning, n, errInAction)
	}
	e.began.Do(func() {
		e.ended = make(chan struct{})
		go func() { wait(); close(e.ended) }()
	})
	select {
	case <-e.ended:
		return nil
	case <-ctx.Done():
	}
	if n := busy(); n > 0 {
		return fmt.Errorf("%w: %d (%w)", systems.ErrRunning, n, context.Cause(ctx))
	}
	<-e.ended // goroutines that have nothing left to run
	return nil
}

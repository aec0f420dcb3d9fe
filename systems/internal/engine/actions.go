package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

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

var errInAction = errors.New("Close was called by an action")

// inAction reports whether an action of any service has called this function: whether Run is on
// the goroutine's stack.
func inAction() bool {
	var pcs [64]uintptr
	for skip := 1; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		for frames, more := runtime.CallersFrames(pcs[:n]), n > 0; more; {
			var f runtime.Frame
			if f, more = frames.Next(); strings.HasSuffix(f.Function, "systems/internal/engine.Run") {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}

// Wait calls wait, which waits for running actions. It returns an error wrapping ErrRunning if
// ctx is done while some run, or if it would wait for an action that calls it. No action may begin
// meanwhile.
func Wait(ctx context.Context, running func() int, wait func()) error {
	if n := running(); n > 0 && inAction() {
		return fmt.Errorf("%w: %d (%w)", systems.ErrRunning, n, errInAction)
	}
	if ctx.Done() == nil {
		wait()
		return nil
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		wait()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		if n := running(); n > 0 {
			return fmt.Errorf("%w: %d (%w)", systems.ErrRunning, n, context.Cause(ctx))
		}
		<-done // goroutines that have nothing left to run
		return nil
	}
}

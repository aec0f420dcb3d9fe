package facilitytest

import (
	"errors"
	"fmt"
	"testing/synctest"
	"time"

	"timerlab/systems"
)

// closing drops what waits, and ends all.
func closing(k Kind) error {
	f, err := k.New(nil)
	if err != nil {
		return err
	}
	var l log
	timers := make([]systems.Timer, 5)
	for i := range timers {
		if timers[i], err = f.AfterFunc(time.Duration(i)*time.Second+1, func() { l.add("it") }); err != nil {
			return err
		}
	}
	time.Sleep(1500 * time.Millisecond)
	if !timers[4].Stop() {
		return fmt.Errorf("Stop is false")
	}
	if got := f.Close(); got != 2 {
		return fmt.Errorf("Close returns %d, with two timers waiting", got)
	}
	if got := f.Close(); got != 0 {
		return fmt.Errorf("a second Close returns %d", got)
	}
	for _, t := range timers {
		if t.Stop() || t.Reset(time.Second) {
			return fmt.Errorf("Stop or Reset after Close is true")
		}
	}
	if _, err := f.AfterFunc(time.Second, func() { l.add("it") }); !errors.Is(err, systems.ErrClosed) {
		return fmt.Errorf("AfterFunc after Close: error %v, want one that wraps ErrClosed", err)
	}
	time.Sleep(time.Minute)
	synctest.Wait()
	return l.want("it", 2)
}

// closeWaits for the action that runs.
func closeWaits(k Kind) error {
	f, err := k.New(nil)
	if err != nil {
		return err
	}
	var l log
	if _, err = f.AfterFunc(time.Second, func() { time.Sleep(10 * time.Second); l.add("slow") }); err != nil {
		return err
	}
	defer time.Sleep(time.Minute) // what Close did not wait for ends within the rule
	time.Sleep(5 * time.Second)
	f.Close()
	if err := l.want("slow", 1); err != nil {
		return fmt.Errorf("when Close returns, %w", err)
	}
	return nil
}

// closeDrops what is due and has not begun, because all workers are busy.
func closeDrops(k Kind) error {
	if k.Workers == 0 {
		return nil
	}
	f, err := k.New(nil)
	if err != nil {
		return err
	}
	var l log
	for range k.Workers + 2 {
		if _, err := f.AfterFunc(time.Second, func() { time.Sleep(10 * time.Second); l.add("it") }); err != nil {
			f.Close()
			return err
		}
	}
	time.Sleep(5 * time.Second)
	if got := f.Close(); got != 2 {
		return fmt.Errorf("Close returns %d, with two actions that have not begun", got)
	}
	time.Sleep(time.Minute)
	synctest.Wait()
	return l.want("it", k.Workers)
}

// noAction is an error, not a panic on another goroutine.
func noAction(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		if _, err := f.AfterFunc(time.Second, nil); !errors.Is(err, systems.ErrAction) {
			return fmt.Errorf("AfterFunc without an action: error %v, want one that wraps ErrAction", err)
		}
		return nil
	})
}

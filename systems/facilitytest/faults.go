package facilitytest

import (
	"cmp"
	"fmt"
	"runtime"
	"testing/synctest"
	"time"

	"timerlab/systems"
)

// panics go to the handler, and the facility lives on.
func panics(k Kind) error {
	var l log
	return use(k, func(v any) { l.add(fmt.Sprint("handled ", v)) }, func(f systems.Facility) error {
		for range 3 {
			if _, err := f.AfterFunc(time.Second, func() { panic("a") }); err != nil {
				return err
			}
		}
		if _, err := f.AfterFunc(2*time.Second, func() { l.add("after") }); err != nil {
			return err
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		return cmp.Or(l.want("handled a", 3), l.want("after", 1))
	})
}

// goexit in an action ends neither the facility nor Close.
func goexit(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		var l log
		for range 3 {
			if _, err := f.AfterFunc(time.Second, func() { l.add("exit"); runtime.Goexit() }); err != nil {
				return err
			}
		}
		if _, err := f.AfterFunc(2*time.Second, func() { l.add("after") }); err != nil {
			return err
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		return cmp.Or(l.want("exit", 3), l.want("after", 1))
	})
}

// slow actions may delay others, and lose none.
func slow(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		var l log
		for i := range 20 {
			if _, err := f.AfterFunc(time.Duration(i)*time.Second, func() { time.Sleep(3 * time.Second); l.add("it") }); err != nil {
				return err
			}
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		return l.want("it", 20)
	})
}

// oversleep: a worker that an action holds up for an hour finds all that was due in it.
func oversleep(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		var l log
		if _, err := f.AfterFunc(time.Second, func() { time.Sleep(time.Hour) }); err != nil {
			return err
		}
		const n = 500
		for i := range n {
			d := 2*time.Second + time.Duration(i)*5*time.Second
			if _, err := f.AfterFunc(d, func() { l.add(fmt.Sprint(i)) }); err != nil {
				return err
			}
		}
		time.Sleep(3 * time.Hour)
		synctest.Wait()
		for i := range n {
			if err := l.want(fmt.Sprint(i), 1); err != nil {
				return err
			}
		}
		return nil
	})
}

package adapter_test

import (
	"fmt"
	"os"
	"strings"

	"timerlab/harness/adapter"
	"timerlab/schemes"
)

// countdown is scheme 1 in a few lines: to copy, with a library's timers in place of the map. It hands timers out in any order,
// and refuses nothing but an interval of 0.
type countdown struct {
	now    schemes.Tick
	timers map[schemes.Handle]timer
	last   schemes.Handle
}

type timer struct {
	deadline schemes.Tick
	id       schemes.ID
}

func (c *countdown) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if interval == 0 {
		return 0, fmt.Errorf("countdown: interval 0: %w", schemes.ErrInterval)
	}
	c.last++
	c.timers[c.last] = timer{c.now + interval, id}
	return c.last, nil
}

func (c *countdown) Stop(h schemes.Handle) bool {
	_, is := c.timers[h]
	delete(c.timers, h)
	return is
}

// PerTick returns no number of due timers, which only an adapter that promises pertick is asked for.
func (c *countdown) PerTick() int {
	c.now++
	return 0
}

func (c *countdown) Expire(action func(schemes.ID)) {
	for h, t := range c.timers {
		if t.deadline <= c.now {
			delete(c.timers, h)
			action(t.id)
		}
	}
}

// An adapter in Go: the main function of a program with timers of its own, which `bench verify -- PROGRAM` checks.
func ExampleServe() {
	info := schemes.Info{Name: "countdown",
		New: func(cfg schemes.Config) (schemes.Scheme, error) {
			return &countdown{now: cfg.Now, timers: map[schemes.Handle]timer{}}, nil
		},
		Range: func(schemes.Config) schemes.Tick { return 1 << 62 },
	}
	driver := strings.NewReader("hello 1\nnew\nstart 1 2\nstart 2 3\nstop 2\ntick 3\n") // os.Stdin, in a program
	if err := adapter.Serve(driver, os.Stdout, &info, "1.0", "pertick", "order", "now"); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	// Output:
	// hello 1 countdown 1.0 stale action zero range=4611686018427387904
	// ok
	// ok
	// ok
	// yes
	// ok 2:1
}

package player

import (
	"fmt"
	"strconv"
	"strings"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Edit is an operation of the reader's, at the end of a tick's operations.
type Edit struct {
	Tick     schemes.Tick
	Kind     workload.Kind
	Timer    uint64       // of a Stop or Restart: the ID
	Interval schemes.Tick // of a Start or Restart
}

// String returns the edit as a link has it: 3:start:40, 5:stop:7, 6:restart:7:40.
func (e Edit) String() string {
	text := fmt.Sprintf("%d:%v", e.Tick, e.Kind)
	if e.Kind != workload.Start {
		text += fmt.Sprintf(":%d", e.Timer)
	}
	if e.Kind != workload.Stop {
		text += fmt.Sprintf(":%d", e.Interval)
	}
	return text
}

// ParseEdit reads what Edit.String writes.
func ParseEdit(text string) (Edit, error) {
	e, ok := readEdit(strings.Split(text, ":"), false)
	if !ok {
		return e, fmt.Errorf("invalid edit %q (use TICK:start:INTERVAL, TICK:stop:ID or TICK:restart:ID:INTERVAL)", text)
	}
	return e, nil
}

// readEdit reads the parts of an operation: tick, kind, timer, interval. A stop has no interval,
// and a start has a timer only if starts are named, as in a trace file.
func readEdit(parts []string, named bool) (e Edit, ok bool) {
	if len(parts) < 3 {
		return e, false
	}
	numbers := []*uint64{(*uint64)(&e.Tick)}
	switch e.Kind = workload.Start; parts[1] {
	case "start":
		if named {
			numbers = append(numbers, &e.Timer)
		}
		numbers = append(numbers, (*uint64)(&e.Interval))
	case "stop":
		e.Kind, numbers = workload.Stop, append(numbers, &e.Timer)
	case "restart":
		e.Kind, numbers = workload.Restart, append(numbers, &e.Timer, (*uint64)(&e.Interval))
	default:
		return e, false
	}
	parts = append(parts[:1:1], parts[2:]...)
	if len(parts) != len(numbers) {
		return e, false
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil || n > maxNumber {
			return e, false
		}
		*numbers[i] = n
	}
	return e, true
}

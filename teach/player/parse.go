package player

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness"
	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// splitFragment returns the values of a fragment by their keys, and what is wrong with it.
func splitFragment(fragment string) (values map[string]string, wrong []error) {
	var keys []string
	for _, f := range slices.Concat(heads, fields) {
		keys = append(keys, f.key)
	}
	values = map[string]string{}
	for part := range strings.SplitSeq(strings.TrimPrefix(fragment, "#"), "&") {
		key, value, ok := strings.Cut(part, "=")
		switch {
		case part == "":
		case key == "v" && value != "1":
			wrong = append(wrong, fmt.Errorf("unknown version %q of a link (use v=1)", value))
		case key == "v":
		case !ok || !slices.Contains(keys, key):
			wrong = append(wrong, fmt.Errorf("unknown part %q of a link (have %s)", part, strings.Join(keys, ", ")))
		default:
			values[key] = value
		}
	}
	return values, wrong
}

// check verifies what fields have to do with each other.
func (s *State) check() error {
	s.At = min(s.At, s.Ticks)
	s.Edits = slices.DeleteFunc(s.Edits, func(e Edit) bool { return e.Tick > s.Ticks })
	if s.N == 0 {
		return nil
	}
	rate := float64(s.N) / float64(s.T)
	if ops := 2 * rate * float64(s.Ticks); ops > maxOps {
		return fmt.Errorf("about %.2g operations are too many for a page (use fewer timers or ticks: at most %d)",
			ops, maxOps)
	}
	for _, name := range s.Schemes {
		info, err := harness.Find(name)
		if err != nil {
			return err
		}
		step := cost.Estimate(info, s.N, s.Slots, rate)
		if info.Kind == schemes.Tree && !info.IsBase() {
			step.Start = float64(s.N) // nothing may balance it
		}
		if steps := (step.Start*rate + step.Tick) * float64(s.Ticks); steps > maxSteps {
			return fmt.Errorf("%s would take about %.2g steps, too many for a page (use fewer timers or ticks: "+
				"at most %.2g steps)", name, steps, float64(maxSteps))
		}
	}
	return s.Spec().Check()
}

func setSchemes(s *State, text string) error {
	names := strings.Split(text, ",")
	if text == "all" {
		names = harness.Names()[:7]
	}
	for i, name := range names {
		if _, err := harness.Find(name); err != nil {
			return err
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("duplicate scheme %q", name)
		}
	}
	s.Schemes = names
	return nil
}

func setLevels(s *State, text string) error {
	if text == "" {
		s.Levels = nil
		return nil
	}
	var levels []int
	for part := range strings.SplitSeq(text, "x") {
		radix, err := strconv.Atoi(part)
		if err != nil || radix < 1 || radix > maxSlots || len(levels) == 16 {
			return fmt.Errorf("invalid levels %q (use whole numbers from 1, separated by x, as in 60x60x24)", text)
		}
		levels = append(levels, radix)
	}
	s.Levels = levels
	return nil
}

func joinRadices(levels []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(levels), "[]"), " ", "x")
}

func setDist(s *State, text string) (err error) {
	s.Dist, err = workload.ParseShape(text)
	return err
}

func fraction(share, at float64) string {
	if share == 0 {
		return "0"
	}
	return fmt.Sprintf("%v@%v", share, at)
}

func setStop(s *State, text string) error {
	first, second, has := strings.Cut(text, "@")
	share, err := strconv.ParseFloat(first, 64)
	at := 0.0
	if err == nil && has {
		at, err = strconv.ParseFloat(second, 64)
	}
	if err != nil || !(share >= 0 && share <= 1 && at >= 0 && at <= 1) || has != (share > 0) {
		return fmt.Errorf("invalid stop %q (use 0, or a share and a part of the interval, as in 0.9@0.05)", text)
	}
	s.Stop, s.StopAt = share, at
	return nil
}

// setName sets the seed of a quiz or the name of a file.
func setName(to *string, key, text string) error {
	ok := len(text) <= 40 && !strings.ContainsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r))
	})
	if !ok {
		return fmt.Errorf("invalid %s %q (use at most 40 letters, digits, dots and dashes)", key, text)
	}
	*to = text
	return nil
}

func joinEdits(edits []Edit) string {
	texts := make([]string, len(edits))
	for i, e := range edits {
		texts[i] = e.String()
	}
	return strings.Join(texts, ",")
}

func setEdits(s *State, text string) error {
	var edits []Edit
	for part := range strings.SplitSeq(text, ",") {
		if part == "" {
			continue
		}
		e, err := ParseEdit(part)
		if err != nil {
			return err
		}
		if n := len(edits); n > 0 && e.Tick < edits[n-1].Tick {
			return fmt.Errorf("edit %q is earlier than the one before (ticks must not decrease)", part)
		}
		edits = append(edits, e)
	}
	s.Edits = edits
	return nil
}

// ParseEdit reads what Edit.String writes.
func ParseEdit(text string) (e Edit, err error) {
	parts := strings.Split(text, ":")
	if len(parts) >= 2 {
		e.Kind = workload.Kind(slices.Index([]string{"stop", "restart", "start"}, parts[1]))
	}
	numbers := map[workload.Kind]int{workload.Stop: 1, workload.Restart: 2, workload.Start: 1}[e.Kind]
	bad := fmt.Errorf("invalid edit %q (use TICK:start:INTERVAL, TICK:stop:ID or TICK:restart:ID:INTERVAL)", text)
	if len(parts) < 3 || len(parts) != 2+numbers {
		return e, bad
	}
	var values []uint64
	for _, part := range append(parts[:1:1], parts[2:]...) {
		v, err := strconv.ParseUint(part, 10, 64)
		if err != nil || v > maxNumber {
			return e, bad
		}
		values = append(values, v)
	}
	e.Tick = schemes.Tick(values[0])
	if e.Kind == workload.Start {
		e.Interval = schemes.Tick(values[1])
		return e, nil
	}
	e.Timer = values[1]
	if e.Kind == workload.Restart {
		e.Interval = schemes.Tick(values[2])
	}
	return e, nil
}

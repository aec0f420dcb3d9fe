package pick

import (
	"fmt"
	"slices"
	"strings"
)

// Snippet returns Go that makes the candidate for n timers and uses it: for a loop of its
// own, and for a service, on the clock.
func (c Candidate) Snippet(n int) string {
	pkg, _, _ := strings.Cut(c.Info.Name, "-")
	variable, ok := variables[c.Info.Name]
	if !ok {
		variable = "Info"
	}
	fields := []string{fmt.Sprintf("Capacity: %d", n)}
	if c.Slots > 0 && len(c.Levels) == 0 {
		fields = append(fields, fmt.Sprintf("Slots: %d", c.Slots))
	}
	if len(c.Levels) > 0 {
		levels := strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Levels), " ", ", "), "[]")
		fields = append(fields, "Levels: []int{"+levels+"}")
	}
	name := pkg + "." + variable
	text := fmt.Sprintf(`cfg := schemes.Config{%s}
s, err := %s.New(cfg)
// ...
h, err := s.Start(interval, id) // due in the interval-th tick from now
s.Stop(h)                       // true: it will not expire
if s.PerTick() > 0 {            // once a tick
	s.Expire(func(id schemes.ID) { /* it may start and stop timers */ })
}`, strings.Join(fields, ", "), name)
	if slices.Contains(rounding, c.Info) {
		return text // locked takes none that rounds
	}
	return text + fmt.Sprintf(`
// Or on the clock, from any goroutine, with a Tick in the options:
f, err := locked.New(&%s, cfg, options)
t, err := f.AfterFunc(30*time.Second, action)`, name)
}

// variables are the names of variants in their packages; Info is the scheme's itself.
var variables = map[string]string{
	"ordered-rear": "Rear", "tree-4ary": "Quaternary", "hashunsorted-chunked": "Chunked", "hierarchical-chunked": "Chunked", "hierarchical-nomigrate": "NoMigrate",
}

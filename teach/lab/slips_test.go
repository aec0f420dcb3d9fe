package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/teach/lab/grade"
)

const (
	rounds = "(interval-1)/schemes.Tick(s.slots) + 1"
	remain = "t.rounds--\n		if t.rounds == 0 {"
	walk   = "for i := range s.timers {\n		if s.timers[i].state > due {\n			return "
)

// slips are mistakes of a line or two in the solution: a name, then texts and what replaces them. The first four are
// tried with -short, too.
var slips = [][]string{
	{"slot from interval", "(s.now+interval)%", "interval%"},
	{"Stop walks", "	i := uint32(h)\n", walk + "false\n		}\n	}\n	i := uint32(h)\n"},
	{"no generation", "schemes.Handle(t.generation)<<32 | ", "", " || t.generation != uint32(h>>32)", ""},
	{"last first", "s.link(i, s.slots)", "s.link(i, s.timers[s.slots].next)"},
	{"rounds J/M + 1", rounds, "interval/schemes.Tick(s.slots) + 1"},
	{"test before decrement", remain, strings.Replace(remain, "== 0", "== maxTick", 1)},
	{"& (M-1)", "(s.now+interval)%schemes.Tick(s.slots)", "(s.now+interval)&schemes.Tick(s.slots-1)",
		"s.now % schemes.Tick(s.slots)", "s.now & schemes.Tick(s.slots-1)"},
	{"& (M-1) in Start", "(s.now+interval)%schemes.Tick(s.slots)", "(s.now+interval)&schemes.Tick(s.slots-1)"},
	{"next read after relinking", "next := t.next\n", "", "i = next", "i = t.next"},
	{"no decrement", "t.rounds--\n", ""},
	{"a revolution early", rounds, "max(1, interval/schemes.Tick(s.slots))"},
	{"no %w", "interval %d: %w", "interval %d: %v"},
	{"freed handle accepted", "t.state == free || ", ""},
	{"interval 0 accepted", "interval == 0 || ", ""},
	{"list first, actions then", "for {\n		i := s.timers[s.slots].next",
		"var all []schemes.ID\n	for {\n		i := s.timers[s.slots].next", "			return\n		}\n		id :=",
		"			break\n		}\n		id :=", "action(id)\n	}",
		"all = append(all, id)\n	}\n	for _, id := range all {\n		action(id)\n	}"},
	{"due timer not stopped", "t.state == free ||", "t.state != waiting ||"},
	{"no overflow check", " || interval > maxTick-s.now", ""},
	{"16-bit generation", "generation uint32", "generation uint16", "uint32(h>>32)", "uint16(h>>32)"},
	{"past the clock's end", "if s.now == maxTick {\n		return 0\n	}", ""},
	{"n-- forgotten in Stop", "s.forget(i)\n	return true", "s.forget(i)\n	s.n++\n	return true"},
	{"visits of expiries only", "s.counts.Visits++\n", "", "moved++\n", "moved++\n			s.counts.Visits++\n"},
	{"links once too many", "if t.state == waiting {\n		s.counts.Links++\n	}", "s.counts.Links++"},
	{"division by zero", "slots = schemes.DefaultSlots", "slots = 0", "slots < 1", "slots < 0"},
	{"place not reused", "s.free = append(s.free, i)\n", ""},
	{"32-bit rounds", "rounds     schemes.Tick", "rounds     uint32", "t.rounds = " + rounds,
		"t.rounds = uint32(" + rounds + ")"},
	{"PerTick allocates", "s.now++\n", "s.now++\n	_ = fmt.Sprint(s.now)\n"},
	{"negative slots", "if slots == 0", "if slots <= 0"},
	{"Start walks", "	var i uint32\n", walk + "0, nil\n		}\n	}\n	var i uint32\n"},
	{"PerTick walks", "	moved := 0\n", walk + "0\n		}\n	}\n	moved := 0\n"},
	{"moved not counted", "moved++\n", ""},
	{"refused start counted", "if interval == 0 ||", "s.n++\n	if interval == 0 ||",
		"s.counts.Links++\n	s.n++\n", "s.counts.Links++\n"},
	{"capacity ignored", "slots+1+cfg.Capacity", "slots+1"},
	{"forgets after the action", "s.forget(i)\n		action(id)", "action(id)\n		s.forget(i)"},
	{"128 slots by default", "schemes.DefaultSlots", "schemes.DefaultSlots / 2"},
	{"generation not counted", "t.generation++\n", ""},
	{"other slots counted", "s.timers[slot].next == slot {", "s.timers[slot].next != slot {"},
	{"empty drawing", `return fmt.Sprintf("now %d, %d slots, %d timers", s.now, s.slots, s.n)`, `return ""`},
	{"IDs not kept", "t.state, t.id = waiting, id", "t.state = waiting"},
	{"clock from 0", "{now: cfg.Now, ", "{"},
	{"no limit of slots", " || slots > schemes.MaxSlots", ""},
	{"negative capacity", "cfg.Capacity < 0", "cfg.Capacity < -5"},
	{"last tick refused", "interval > maxTick-s.now", "interval >= maxTick-s.now"},
	{"error without value", `"scheme6: interval %d: %w", interval, `, `"scheme6: %w", `},
	{"one handed out", "action(id)\n", "action(id)\n		return\n"},
	{"state not due", "t.state = due\n", ""},
	{"short range", "return maxTick }", "return schemes.Tick(cfg.Slots) }"},
	{"migrations counted", "s.counts.Visits++\n", "s.counts.Visits++\n		s.counts.Migrations++\n"},
}

// uselessSlips leave nothing that works.
var uselessSlips = map[string]string{
	"next read after relinking": "PerTick never returns when a timer is due",
	"no decrement":              "no timer is ever due",
	"IDs not kept":              "no timer is handed out under its ID",
}

// A mistake costs something, but nothing that has nothing to do with it. All are in one program, which is graded
// as the one that its file's name says.
func TestSlips(t *testing.T) {
	all := student(t, "")
	imports, table, chosen := "", "", slips
	if testing.Short() {
		chosen = chosen[:4]
	}
	for i, s := range chosen {
		name := fmt.Sprintf("s%d", i)
		require.NoError(t, writeFile(filepath.Join(all.Module.Dir, name, "scheme.go"), []byte(solution(t, s[1:]...))))
		imports += fmt.Sprintf("%s \"scheme6/%[1]s\"\n", name)
		table += fmt.Sprintf("%q: %[1]s.Info,\n", name)
	}
	source := "package scheme6\nimport (\n\"os\"\n\"path/filepath\"\n\"timerlab/schemes\"\n" + imports + ")\n" +
		"var Info = map[string]schemes.Info{\n" + table + "}[filepath.Base(os.Args[0])]\n"
	require.NoError(t, writeFile(filepath.Join(all.Module.Dir, "scheme6.go"), []byte(source)))
	p, err := all.build(t.Context(), t.TempDir())
	require.NoError(t, err)
	for i, s := range chosen {
		useless := uselessSlips[s[0]]
		t.Run(s[0], func(t *testing.T) {
			t.Parallel()
			one, timeout := *p, time.Minute
			one.dir = t.TempDir() // of its records
			one.binary = filepath.Join(one.dir, fmt.Sprintf("s%d", i))
			require.NoError(t, os.Link(p.binary, one.binary))
			if useless != "" {
				timeout = 300 * time.Millisecond
			}
			r, err := one.grade(t.Context(), grade.Options{Short: true}, timeout, func(int, int, string) {})
			require.NoError(t, err)
			cost := r.Max - r.Score
			t.Logf("costs %d points", cost)
			switch {
			case useless != "":
				assert.GreaterOrEqual(t, cost, 90, "%s, but %s", useless, text(t, r))
			case strings.HasSuffix(s[0], " walks"):
				assert.Zero(t, r.Stages[6].Score, "%s", text(t, r))
				fallthrough
			default:
				assert.GreaterOrEqual(t, cost, 5, "%s", text(t, r))
				assert.LessOrEqual(t, cost, 40, "%s", text(t, r))
			}
		})
	}
}

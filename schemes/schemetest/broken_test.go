package schemetest

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// broken lists the faults of the reference and the rule that each must be rejected for.
var broken = []struct {
	number int
	fault  fault
	rule   string
}{
	{2, "interval 0 accepted", "interval-zero"},
	{4, "over-range accepted and fired early", "interval-range"},
	{4, "range end refused", "interval-range"},
	{7, "range end refused", "interval-range"},
	{2, "past the clock accepted", "interval-clock"},
	{2, "clock end refused", "interval-clock"},
	{2, "error not wrapped", "interval-clock"},
	{2, "error without the value", "error-text"},
	{2, "refused start counted", "len"},
	{2, "late at a level boundary", "exact"},
	{2, "32-bit deadline", "exact-clock"},
	{2, "signed compare", "exact-clock"},
	{2, "clock wraps", "clock-stops"},
	{2, "stopped timer kept", "stop"},
	{2, "stopped twice", "stop-stale"},
	{2, "due timer not stoppable", "stop-due"},
	{2, "stale handle honoured", "stop-stale"},
	{2, "zero handle stopped", "stop-foreign"},
	{2, "generation of 16 bits", "handle-reuse"},
	{2, "generations forgotten after a peak", "handle-peak"},
	{2, "first handle zero", "handle-unique"},
	{2, "foreign handle panics", "panic"},
	{2, "later ticks first", "expire"},
	{2, "handed out twice", "expire"},
	{2, "PerTick returns all due", "pertick-number"},
	{2, "sibling still handed out", "stop-sibling"},
	{2, "oneself stoppable", "expire-forgets"},
	{2, "slot walked while it grows", "expire-start"},
	{2, "due timers lost on a panic", "expire-panic"},
	{2, "panic swallowed", "expire-panic"},
	{2, "one timer for an ID", "same-id"},
	{2, "order of a map", "deterministic"},
	{2, "Check changes the order", "deterministic"},
	{2, "one in a hundred thousand dropped", "volume"},
	{2, "Len without due timers", "len"},
	{2, "Check always errs", "check"},
	{2, "Check wrong at last", "check"},
	{2, "String panics when empty", "panic"},
	{2, "String draws every timer", "string"},
	{2, "leaving not counted", "counts-links"},
	{2, "counts start again", "counts-grow"},
	{2, "Check counts", "counts-still"},
	{2, "Next counts", "counts-still"},
	{2, "empty slots counted", "counts-empty"},
	{2, "migrations counted", "counts-migrations"},
	{2, "visits miscounted", "counts-visits"},
	{2, "compares miscounted", "counts-compares"},
	{7, "levels not copied", "config-copied"},
	{2, "negative capacity accepted", "config-rejected"},
	{4, "slots unlimited", "config-rejected"},
	{7, "slots unlimited", "config-rejected"},
	{2, "unused slots read", "config-ignored"},
	{2, "cannot grow", "handle-peak"},
	{2, "capacity ignored", "capacity-ahead"},
	{2, "allocates", "allocation"},
	{2, "storage used once", "memory"},
	{2, "a word leaked by every stop", "memory"},
	{2, "Next ignores due timers", "next"},
	{2, "Next one late", "next"},
	{2, "NextEvent too late", "next-event"},
	{2, "View a tick off", "view"},
	{2, "View skips one", "view"},
	{2, "View shows all at one place", "view"},
	{2, "View shows due timers last", "view"},
	{2, "Advance past due timers", "advance"},
	{2, "Advance by single ticks", "advance-steps-over"},
	{2, "Restart of a stale handle starts", "restart"},
	{2, "Restart loses the timer on a bad interval", "restart"},
	{2, "Restart forgets the ID", "restart"},
	{2, "ID of a stopped timer", "id"},
	{2, "ID of another timer", "id"},
}

// brokenVariants are faults of schemes that promise something else than the reference.
var brokenVariants = []struct {
	info  func(fault) *schemes.Info
	fault fault
	rule  string
}{
	{coarseInfo, "a tick later than its bound", "bound"},
	{coarseInfo, "due on its own tick", "bound"},
	{coarseInfo, "never due", "bound"},
	{coarseInfo, "past the clock's end", "bound"},
	{coarseInfo, "bound of the clock", "bound"},
	{coarseInfo, "bound before the start", "bound"},
	{coarseInfo, "bound not tight early", "bound-tight"},
	{coarseInfo, "bound not tight late", "bound-tight"},
	{coarseInfo, "rounded by its neighbours", "exact"},
	{coarseInfo, "rounded by its past", "exact"},
	{coarseInfo, "due timer not stoppable", "stop-due"},
	{coarseInfo, "slot walked while it grows", "expire-start"},
	{coarseInfo, "one in a hundred thousand dropped", "volume"},
	{coarseInfo, "range end refused", "interval-range"},
	{coarseInfo, "clock wraps", "clock-stops"},
	{coarseInfo, "levels not copied", "config-copied"},
	{coarseInfo, "later ticks first", "expire"},
	{lazyInfo, "never discards", "held"},
	{lazyInfo, "Held without due timers", "held"},
	{lazyInfo, "leaving counted at the stop", "counts-links"},
	{lazyInfo, "Len without due timers", "len"},
	{sharingInfo, "a clock of two schemes", "separate"},
	{leakingInfo, "a leak that the runtime does not count", "memory"},
}

// Planted is a scheme with a fault, and the rule that it must be rejected for.
type Planted struct {
	Fault, Rule string
	Info        *schemes.Info
	Outside     bool // the rule can be seen from outside
}

// PlantedFaults returns every fault of the reference.
func PlantedFaults() (all []Planted) {
	for _, b := range broken {
		info := extendedInfo(b.number, b.fault)
		info.Name = "reference" // no variant, as of a student's scheme
		seen := slices.ContainsFunc(outsideRules, func(o struct{ rule, promises string }) bool { return o.rule == b.rule })
		all = append(all, Planted{string(b.fault), b.rule, info, seen})
	}
	return all
}

// CheckOutside checks one rule as VerifyOutside does.
func CheckOutside(info *schemes.Info, promises func(word string) bool, rule string, within time.Duration) Verdict {
	return newSuite(info, rule != "volume").fromOutside(RuleNamed(rule), &outside{info: info, promises: promises}, within)
}

func TestBrokenSchemesAreRejected(t *testing.T) {
	for _, b := range broken {
		t.Run(string(b.fault), func(t *testing.T) { rejected(t, extendedInfo(b.number, b.fault), b.rule) })
	}
	for _, b := range brokenVariants {
		info := b.info(b.fault)
		t.Run(info.Name+" "+string(b.fault), func(t *testing.T) { rejected(t, info, b.rule) })
	}
}

// rejected demands that the suite names the rule: with fewer settings, or else with all of them.
func rejected(t *testing.T, info *schemes.Info, rule string) {
	t.Helper()
	err := VerifyShort(info)
	if v := new(Violation); !errors.As(err, &v) || v.Rule != rule {
		if testing.Short() {
			t.Skip("only the longest runs find it")
		}
		err = Verify(info)
	}
	assertRejected(t, err, rule)
}

// assertRejected demands the rule and a text that a reader can follow.
func assertRejected(t *testing.T, err error, rule string) {
	t.Helper()
	var v *Violation
	require.ErrorAs(t, err, &v)
	assert.Equal(t, rule, v.Rule, "%v", err)
	assert.NotEmpty(t, v.Sentence)
	assert.NotEmpty(t, v.Got)
	assert.Contains(t, err.Error(), v.Sentence)
	assert.LessOrEqual(t, len(v.Trail), 1+maxTrail, "%v", err)
	for _, line := range v.Trail {
		assert.LessOrEqual(t, len(line), maxLine+100)
	}
}

func TestHangIsRejected(t *testing.T) {
	s := newSuite(referenceInfo(2, "hangs"), false)
	s.patience = 200 * time.Millisecond
	err := s.verify(rules)
	assertRejected(t, err, "hang")
	assert.Contains(t, err.Error(), "PerTick()")
	assert.True(t, err.(*Violation).Hung)

	// The rule hang is checked with a program, which may break in another way.
	hang := RuleNamed("hang")
	err = hang.Verify(referenceInfo(2, "leaving not counted"), false, false, time.Minute)
	var v *Violation
	require.ErrorAs(t, err, &v)
	assert.False(t, v.Hung)
}

func TestNoSchemeIsRejected(t *testing.T) {
	info := referenceInfo(2, "")
	info.New = func(schemes.Config) (schemes.Scheme, error) { return nil, errors.New("no") }
	require.Error(t, Verify(info))
	assertRejected(t, Verify(&schemes.Info{Number: 9}), "info")
}

// The text of a failure, in full.
func TestViolationIsReadable(t *testing.T) {
	err := Verify(referenceInfo(2, "sibling still handed out"))
	require.Error(t, err)
	assert.Equal(t, strings.TrimSpace(`
reference breaks the rule stop-sibling: A timer that an action stops on its own tick is not handed out.
	Expire handed out id 2 (h2), which an action of this Expire stopped
	New(Now 0)
	Start(interval 1, id 1) -> h1
	Start(interval 1, id 2) -> h2
	PerTick() = 2
	Expire() -> id 1 {Stop(h2) = true}, id 2
`), err.Error())
}

// What only the seven must not do, a variant may: migrate, with any number.
func TestVariantMayMigrate(t *testing.T) {
	info := referenceInfo(2, "migrations counted")
	info.Name = "reference"
	assertRejected(t, VerifyShort(info), "counts-migrations")
	info.Name = "reference-refilled"
	require.NoError(t, VerifyShort(info))
}

// A rule may take as long as it likes if the operations return: it makes do with fewer of them.
func TestSlowSchemeIsNoHang(t *testing.T) {
	s := newSuite(eighthInfo(20*time.Microsecond), false)
	s.patience, s.longRun = time.Second, 4*time.Millisecond
	for _, name := range []string{"handle-peak", "handle-reuse", "allocation"} {
		rule := RuleNamed(name)
		require.Nil(t, s.apply(&rule))
	}
}

package schemetest

import (
	"strings"
	"testing"

	"timerlab/schemes"
)

// Corruption breaks one invariant of a scheme that was made for the purpose, with
// 50 timers of intervals 1 to 50, two ticks after their start.
type Corruption[S schemes.Scheme] struct {
	Name    string
	Corrupt func(S)
	Want    string // what Check must say
}

// CheckNames corrupts a scheme in each way, a fresh one each time, and verifies
// that Check names what is broken, and the scheme.
func CheckNames[S schemes.Scheme](t *testing.T, info *schemes.Info, cfg schemes.Config, ways []Corruption[S]) {
	for _, way := range ways {
		t.Run(way.Name, func(t *testing.T) {
			s := fifty(t, info, cfg).(S)
			checker := any(s).(schemes.Checker)
			if err := checker.Check(); err != nil {
				t.Fatalf("before it is corrupted: %v", err)
			}
			way.Corrupt(s)
			switch err := checker.Check(); {
			case err == nil:
				t.Errorf("Check finds nothing, want %q", way.Want)
			case !strings.Contains(err.Error(), way.Want) || !strings.HasPrefix(err.Error(), info.Name+": "):
				t.Errorf("Check says %q, want the scheme and %q", err, way.Want)
			}
		})
	}
}

// fifty returns a scheme with the timers that Corruption describes.
func fifty(t *testing.T, info *schemes.Info, cfg schemes.Config) schemes.Scheme {
	s, err := info.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for interval := schemes.Tick(1); interval <= 50; interval++ {
		if _, err := s.Start(interval, schemes.ID(interval)); err != nil {
			t.Fatal(err)
		}
	}
	s.PerTick()
	s.PerTick()
	return s
}

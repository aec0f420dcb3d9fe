package peers

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"timerlab/harness"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// subject is a scheme with its default sizes.
func subject(info *schemes.Info) run.Subject { return run.Subject{Label: info.Name, Info: info} }

// A scheme that is wrong in some timers is an error, in every scenario.
func TestScenariosFindWrongSchemes(t *testing.T) {
	for _, fault := range []string{"late", "early", "lost", "twice", "unstopped"} {
		for name := range scenarios {
			if fault == "unstopped" && name == "Hold" { // which stops nothing
				continue
			}
			t.Run(fault+"/"+name, func(t *testing.T) {
				info := *harness.Schemes[6]
				info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
					s, err := harness.Schemes[6].New(cfg)
					return &faulty{Scheme: s, fault: fault}, err
				}
				_, err := Scenario{Name: name, N: 200, T: 300, Ops: 2000}.Sample(subject(&info), 1)
				assert.Error(t, err)
			})
		}
	}
}

// faulty does something wrong now and then.
type faulty struct {
	schemes.Scheme
	fault         string
	starts, stops int
	doubled       bool
}

func (f *faulty) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if f.starts++; f.starts%17 == 0 {
		switch {
		case f.fault == "late":
			interval++
		case f.fault == "early" && interval > 1:
			interval--
		case f.fault == "lost":
			return 0, nil
		}
	}
	return f.Scheme.Start(interval, id)
}

func (f *faulty) Expire(action func(schemes.ID)) {
	f.Scheme.Expire(func(id schemes.ID) {
		action(id)
		if f.fault == "twice" && !f.doubled {
			f.doubled = true
			action(id)
		}
	})
}

func (f *faulty) Stop(h schemes.Handle) bool {
	f.stops++
	if f.fault == "unstopped" && f.stops == 50 {
		return false
	}
	return f.Scheme.Stop(h)
}

func TestBadScenarios(t *testing.T) {
	for want, s := range map[string]Scenario{
		`unknown scenario "Sleep" (have Churn, Hold, `: {Name: "Sleep", N: 1, T: 1},
		"n = 0": {Name: "Hold", N: 0, T: 10},
		"T = 0": {Name: "Hold", N: 10, T: 0},
	} {
		_, err := s.Sample(subject(harness.Schemes[6]), 0)
		assert.ErrorContains(t, err, want)
	}
}

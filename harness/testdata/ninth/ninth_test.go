package ninth_test

import (
	"testing"

	"timerlab/harness"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/schemetest"

	"example.com/ninth"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &ninth.Info) }

// BenchmarkLifetime compares with scheme 7: go test -bench Lifetime | go tool benchstat -col '/scheme@(hierarchical ninth)' -
func BenchmarkLifetime(b *testing.B) { harness.Bench(b, &ninth.Info, &hierarchical.Info) }

// BenchmarkTimers measures all four operations.
func BenchmarkTimers(b *testing.B) { harness.Bench(b, &ninth.Info) }

// BenchmarkWrong fails: the scheme loses a timer.
func BenchmarkWrong(b *testing.B) {
	wrong := ninth.Info
	wrong.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := ninth.Info.New(cfg)
		return &losing{Scheme: s}, err
	}
	harness.Bench(b, &wrong)
}

type losing struct {
	schemes.Scheme
	starts int
}

func (l *losing) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	h, err := l.Scheme.Start(interval, id)
	if l.starts++; l.starts == 5 {
		l.Stop(h)
	}
	return h, err
}

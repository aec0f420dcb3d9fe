package bench

import (
	"slices"
	"sync"
	"time"

	"timerlab/harness/report"
	"timerlab/harness/run"
	"timerlab/systems"
)

const (
	expireBatch = 10_000 // timers at once
	expireDue   = 2 * time.Millisecond
	expireTime  = 300 * time.Millisecond
	mostPending = 1_000_000 // of a comparison: Go's timers take some hundred bytes each
)

// Lives measures the CPU time of a timer's life with Go's own timers and with sharded, n others
// pending, used by one goroutine in this process. A life is a start and an expiry, a start and a
// stop, or a Reset, in these shares.
func Lives(n int, expired, stopped, restarted float64) (all []report.Service, err error) {
	parts := map[string]float64{"Expire": expired, "Replace": stopped, "Reset": restarted}
	n = max(1, min(n, mostPending))
	for _, name := range []string{goTimers, ours} {
		subject := subjects[slices.Index(namesOf(subjects), name)]
		life := report.Service{Name: name, Pending: n}
		for op, share := range parts {
			if share == 0 {
				continue
			}
			s := &sample{subject: subject, n: n, option: "1"}
			if err := s.make(op); err != nil {
				return nil, err
			}
			for _, v := range s.Values {
				if v.Unit == "cpu-ns/op" {
					life.Ns += share * v.Value
				}
			}
		}
		all = append(all, life)
	}
	return all, nil
}

// expire measures the start and the expiry of timers that are due soon, n others pending.
func (s *sample) expire() error {
	if err := s.open(hour); err != nil {
		return err
	}
	s.timers = make([]systems.Timer, s.n)
	if err := s.fill(1); err != nil {
		return err
	}
	var all sync.WaitGroup
	began, cpu := time.Now(), run.CPUTime()
	for time.Since(began) < expireTime {
		all.Add(expireBatch)
		for range expireBatch {
			if _, err := s.facility.AfterFunc(expireDue, all.Done); err != nil {
				return err
			}
		}
		all.Wait()
		s.Iters += expireBatch
	}
	s.Add(float64(run.CPUTime()-cpu)/float64(s.Iters), "cpu-ns/op")
	return nil
}

package adapter

import (
	"context"
	"time"

	"timerlab/schemes/schemetest"
)

// Verify checks the library against the rules that can be seen from outside, within a time, by and large, or with short within a
// tenth of it. progress is called before each rule.
func (a *Adapter) Verify(ctx context.Context, short bool, within time.Duration, progress func(done, of int, rule string)) ([]schemetest.Verdict, error) {
	if a.Tick > 0 {
		return a.verifyReal(progress), nil
	}
	if short {
		within /= 10
	}
	alone, err := Open(ctx, a.command...) // another process, which says when a timer is due that is alone
	if err != nil {
		return nil, err
	}
	defer alone.Close()
	return schemetest.VerifyOutside(a.Info(), alone.Info(), a.Promises, within, progress), nil
}

package adapter

import (
	"context"
	"time"

	"timerlab/schemes/schemetest"
)

// Verify checks the library against the rules that can be seen from outside, within a time, by and large, or with short within a
// tenth of it. progress is called before each rule.
func (a *Adapter) Verify(ctx context.Context, short bool, within time.Duration, progress func(done, of int, rule string)) []schemetest.Verdict {
	if a.Tick > 0 {
		return a.verifyReal(progress)
	}
	if short {
		within /= 10
	}
	info, alone := a.Info(), a.Info()
	if a.Early+a.Late > 0 { // another process says when a timer is due that is alone
		if other, err := Open(ctx, a.command...); err == nil {
			defer other.Close()
			alone = other.Info()
		}
	}
	return schemetest.VerifyOutside(info, alone, a.Promises, within, progress)
}

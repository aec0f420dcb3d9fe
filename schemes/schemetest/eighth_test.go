package schemetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// eighth is a scheme that is not in the paper: it has the four operations and nothing else, with a Stop
// that takes its time.
type eighth struct {
	schemes.Scheme
	wait time.Duration
}

func eighthInfo(wait time.Duration) *schemes.Info {
	return wrapped(0, "", func(r *reference, _ setting) schemes.Scheme { return eighth{r, wait} })
}

func (e eighth) Stop(h schemes.Handle) bool {
	for began := time.Now(); time.Since(began) < e.wait; {
	}
	return e.Scheme.Stop(h)
}

// A rule may take as long as it likes if the operations return: it makes do with fewer of them.
func TestSlowSchemeIsNoHang(t *testing.T) {
	s := newSuite(eighthInfo(20*time.Microsecond), false)
	s.patience, s.longRun = time.Second, 4*time.Millisecond
	for i := range rules {
		if name := rules[i].Name; name == "handle-peak" || name == "handle-reuse" || name == "allocation" {
			require.Nil(t, s.apply(&rules[i]))
		}
	}
}

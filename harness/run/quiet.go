package run

import (
	"context"
	"time"

	"timerlab/harness/drive"
	"timerlab/harness/results"
)

// Quiet waits for a quiet core before each piece of work, within a budget of time.
type Quiet struct {
	Busy     func() bool   // whether a neighbour computes; nil: see Neighbour
	Computes bool          // the work computes in this process all the time: see deprivedShare
	Slack    time.Duration // that may be lost, and
	Share    float64       // of the time used

	began time.Duration
	lost  time.Duration // by waiting for neighbours and by disturbed work
}

const (
	busyPause = 20 * time.Millisecond // a neighbour computes for 0.1 s to some seconds

	// Work that computes all the time and had the core for less is disturbed: other programs had
	// it. Twins are to agree within a twentieth, so what one of them loses must be well below.
	deprivedShare = 0.02
	leastDeprived = 50 * time.Microsecond // the two clocks are not read at once
)

// Time calls piece when no neighbour computes, or the time is up that may be lost by waiting for that. It
// returns the time and the CPU time that piece took, and whether it was disturbed.
func (q *Quiet) Time(ctx context.Context, piece func()) (took, cpu time.Duration, disturbed bool) {
	if q.Busy == nil {
		q.Busy = new(Neighbour).Busy
	}
	if q.began == 0 {
		q.began = drive.Clock()
	}
	for disturbed = q.Busy(); disturbed && q.Lose(ctx, busyPause); disturbed = q.Busy() {
		time.Sleep(busyPause)
	}
	began, used := drive.Clock(), CPUTime()
	piece()
	took, cpu = drive.Clock()-began, CPUTime()-used
	lacked := took - cpu
	deprived := q.Computes && lacked > leastDeprived && float64(lacked) > deprivedShare*float64(took)
	return took, cpu, q.Busy() || deprived || disturbed
}

// Lose reports whether this time may be lost, and counts it as lost if so.
func (q *Quiet) Lose(ctx context.Context, t time.Duration) bool {
	used := drive.Clock() - q.began - q.lost
	if ctx.Err() != nil || q.lost+t > q.Slack+time.Duration(q.Share*float64(used)) {
		return false
	}
	q.lost += t
	return true
}

// quietSamples makes the samples of a Runner. Whether a disturbed sample is made again depends on how
// many were before it, and not on how long it took: otherwise long samples, which are those that were
// disturbed most, would be kept.
type quietSamples struct {
	Quiet
	counts         results.Reruns // since they were taken
	samples, again int            // all, and those made again
}

const (
	lostShare  = 0.2                    // of the time used, that may be lost: a neighbour that stays costs a fifth
	firstSlack = 200 * time.Millisecond // that may be lost at the beginning
	mostReruns = 2                      // of a sample
	firstAgain = 10                     // samples that may be made again, and a share lostShare of all
)

func newQuietSamples(r Runner) *quietSamples {
	return &quietSamples{Quiet: Quiet{Busy: r.Busy, Computes: r.Computes, Slack: firstSlack, Share: lostShare}}
}

// sample makes a sample, and reruns it while a neighbour disturbs it.
func (q *quietSamples) sample(ctx context.Context, r plannedRun) (rows []results.Result, err error) {
	q.counts.Samples++
	q.samples++
	for tries := 0; ; tries++ {
		_, _, disturbed := q.Time(ctx, func() { rows, err = r.Sample(ctx, r.round) })
		if err != nil || !disturbed {
			return rows, err
		}
		if tries == mostReruns || ctx.Err() != nil || float64(q.again) >= firstAgain+lostShare*float64(q.samples) {
			q.counts.Disturbed++
			return rows, nil
		}
		q.again++
		q.counts.Reruns++
	}
}

// report reports the counts since it was called last.
func (q *quietSamples) report(sink Sink) error {
	if q.counts.Samples == 0 {
		return nil
	}
	counts := q.counts
	q.counts = results.Reruns{}
	return sink.Reruns(counts)
}

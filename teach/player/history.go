package player

import (
	"slices"

	"timerlab/schemes"
)

// History is the whole run in at most maxBuckets parts of equal length, for the timeline and the chart.
type History struct {
	Width   schemes.Tick // ticks of a bucket; the first also has tick 0
	Buckets []Bucket
}

// Bucket is some ticks of the run.
type Bucket struct {
	End        schemes.Tick
	Expired    uint64           // timers, on the first scheme that runs
	Migrations uint64           // on all schemes
	Counts     []schemes.Counts // since the prefill, by scheme
}

const maxBuckets = 400

// History returns the whole run. It runs a copy of every scheme once.
func (p *Player) History() *History {
	if p.run != nil {
		return p.run
	}
	all := *p
	if all.rewind() != nil {
		return &History{Width: 1}
	}
	h := &History{Width: (p.State.Ticks + maxBuckets - 1) / maxBuckets}
	var expired, migrations uint64 // before the bucket
	first := max(0, slices.IndexFunc(all.lanes, func(l *lane) bool { return l.refused == "" }))
	for end := schemes.Tick(0); ; end = min(end+h.Width, p.State.Ticks) {
		all.runTo(position{end, p.input.steps(end)})
		b := Bucket{End: end}
		for i, l := range all.lanes {
			b.Counts = append(b.Counts, l.counts().Sub(l.ready))
			b.Migrations += b.Counts[i].Migrations
		}
		b.Expired = all.lanes[first].digest.Expired - expired
		b.Migrations -= migrations
		expired, migrations = expired+b.Expired, migrations+b.Migrations
		h.Buckets = append(h.Buckets, b)
		if end == p.State.Ticks {
			p.run = h
			return h
		}
	}
}

// Steps is the sum of all counts: the elementary steps that a scheme took.
func Steps(c schemes.Counts) uint64 {
	return c.Compares + c.Visits + c.Links + c.Migrations + c.EmptySlots
}

package main

import (
	"container/heap"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"timerlab/harness"
	"timerlab/schemes"
)

// A scheme of pointers, as most timer libraries are, is verified, with a remark. One that is also wrong is
// not.
func TestVerifyASchemeThatAllocates(t *testing.T) {
	all := harness.Schemes
	t.Cleanup(func() { harness.Schemes = all })
	info := schemes.Info{
		Name: "pointers", Title: "Heap of pointers", Doc: "container/heap", Kind: schemes.Tree,
		New: func(cfg schemes.Config) (schemes.Scheme, error) {
			return &pointers{now: cfg.Now, byHandle: map[schemes.Handle]*pointer{}}, nil
		},
		Range: func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	}
	wrong := info
	wrong.Name, wrong.New = "wrong", func(cfg schemes.Config) (schemes.Scheme, error) {
		return &pointers{now: cfg.Now, byHandle: map[schemes.Handle]*pointer{}, late: 1}, nil
	}
	harness.Schemes = append(all[:len(all):len(all)], &info, &wrong)

	code, out, _ := bench(t, "verify", "--short", "--schemes", "pointers,tree")
	assert.Zero(t, code)
	assert.Contains(t, out, "pointers: verified, allocates")
	assert.Contains(t, out, ": 1 scheme keeps every rule of the contract")
	code, out, _ = bench(t, "verify", "--short", "--schemes", "pointers", "--format", "csv")
	assert.Zero(t, code)
	assert.Contains(t, out, "pointers,\"ok, allocates\",\"pointers breaks the rule allocation")
	code, out, _ = bench(t, "verify", "--short", "--schemes", "pointers,wrong")
	assert.Equal(t, 4, code)
	assert.Contains(t, out, "wrong breaks the rule exact")
}

// pointers is a heap that allocates each timer.
type pointers struct {
	now, late schemes.Tick
	last      schemes.Handle
	byHandle  map[schemes.Handle]*pointer
	waiting   byDeadline
}

type pointer struct {
	deadline schemes.Tick
	handle   schemes.Handle
	id       schemes.ID
	at       int
}

func (p *pointers) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if interval < 1 || interval > math.MaxUint64-p.now {
		return 0, fmt.Errorf("pointers: interval %d: %w", interval, schemes.ErrInterval)
	}
	p.last++
	timer := &pointer{p.now + interval + p.late, p.last, id, 0}
	p.byHandle[p.last] = timer
	heap.Push(&p.waiting, timer)
	return p.last, nil
}

func (p *pointers) Stop(h schemes.Handle) bool {
	timer, ok := p.byHandle[h]
	if ok {
		heap.Remove(&p.waiting, timer.at)
		delete(p.byHandle, h)
	}
	return ok
}

func (p *pointers) PerTick() (due int) {
	if p.now == math.MaxUint64 {
		return 0
	}
	p.now++
	for _, timer := range p.waiting {
		if timer.deadline == p.now {
			due++
		}
	}
	return due
}

func (p *pointers) Expire(action func(schemes.ID)) {
	for len(p.waiting) > 0 && p.waiting[0].deadline <= p.now {
		timer := p.waiting[0]
		p.Stop(timer.handle)
		action(timer.id)
	}
}

type byDeadline []*pointer

func (b byDeadline) Len() int           { return len(b) }
func (b byDeadline) Less(i, j int) bool { return b[i].deadline < b[j].deadline }
func (b byDeadline) Swap(i, j int)      { b[i], b[j] = b[j], b[i]; b[i].at, b[j].at = i, j }
func (b *byDeadline) Push(x any)        { x.(*pointer).at = len(*b); *b = append(*b, x.(*pointer)) }

func (b *byDeadline) Pop() any {
	old := *b
	last := old[len(old)-1]
	*b = old[:len(old)-1]
	return last
}

package peers

import (
	"math"

	"timerlab/harness/drive"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// lowerBounds returns what cannot be faster in a scenario: subjects that do a part of a
// scheme's work and nothing else.
func lowerBounds(scenario string) []Subject {
	bounds := map[string]Subject{
		"Hold":    {Subject: run.Subject{Label: "floor", Info: &floorInfo}},
		"PairHot": {Subject: run.Subject{Label: "barering", Info: &bareRingInfo}, Inert: true},
		"Idle":    {Subject: run.Subject{Label: "nothing", Info: &drive.Null}, Inert: true},
	}
	bound, ok := bounds[scenario]
	if !ok {
		return nil
	}
	bound.Ours = true
	return []Subject{bound}
}

var (
	// floorInfo describes a scheme that writes an entry of 16 bytes for every start and
	// every migration and reads it again, in the order of a hierarchy of four wheels of
	// 256 slots. It has no handles, no records and no Stop.
	floorInfo = schemes.Info{
		Name: "floor", Title: "Entries written and read, nothing else",
		New:   func(cfg schemes.Config) (schemes.Scheme, error) { return &floor{now: cfg.Now}, nil },
		Range: func(schemes.Config) schemes.Tick { return 1 << 32 },
	}

	// bareRingInfo describes a scheme that links a record into the ring of its slot, and unlinks the record
	// that was started last. It allocates no records, checks no handle, and nothing expires.
	bareRingInfo = schemes.Info{
		Name: "barering", Title: "A push and an unlink, nothing else",
		New:   newBareRing,
		Range: func(schemes.Config) schemes.Tick { return math.MaxUint64 },
	}
)

type floorEntry struct {
	deadline schemes.Tick
	id       schemes.ID
}

type floor struct {
	now   schemes.Tick
	slots [4][256][]floorEntry
	due   []floorEntry
}

func (f *floor) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	f.put(floorEntry{f.now + interval, id})
	return 0, nil
}

func (f *floor) put(e floorEntry) {
	l, differ := 0, e.deadline^f.now
	for l < 3 && differ>>(8*l+8) != 0 {
		l++
	}
	slot := &f.slots[l][e.deadline>>(8*l)&255]
	*slot = append(*slot, e)
}

func (f *floor) Stop(schemes.Handle) bool { return false }

func (f *floor) PerTick() int {
	f.now++
	for l := 3; l > 0; l-- {
		if f.now&(1<<(8*l)-1) == 0 {
			slot := &f.slots[l][f.now>>(8*l)&255]
			entries := *slot
			*slot = entries[:0]
			for _, e := range entries {
				f.put(e)
			}
		}
	}
	slot := &f.slots[0][f.now&255]
	f.due, *slot = *slot, f.due[:0]
	return len(f.due)
}

func (f *floor) Expire(action func(schemes.ID)) {
	for _, e := range f.due {
		action(e.id)
	}
}

type link struct{ next, prev uint32 }

type bareRing struct {
	links []link // the first 256 are heads
	last  uint32
}

func newBareRing(cfg schemes.Config) (schemes.Scheme, error) {
	b := &bareRing{links: make([]link, 256, 256+cfg.Capacity), last: 255}
	for i := range b.links {
		b.links[i] = link{uint32(i), uint32(i)}
	}
	b.links = b.links[:cap(b.links)]
	return b, nil
}

func (b *bareRing) Start(interval schemes.Tick, _ schemes.ID) (schemes.Handle, error) {
	b.last++
	i, head := b.last, uint32(interval)%256
	before := b.links[head].prev
	b.links[i] = link{head, before}
	b.links[before].next = i
	b.links[head].prev = i
	return schemes.Handle(i), nil
}

func (b *bareRing) Stop(h schemes.Handle) bool {
	l := b.links[h]
	b.links[l.prev].next = l.next
	b.links[l.next].prev = l.prev
	b.last--
	return true
}

func (b *bareRing) PerTick() int            { return 0 }
func (b *bareRing) Expire(func(schemes.ID)) {}

package plan

import (
	"timerlab/harness/run"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
)

// byKey is scheme 6 for clients that keep no handle: it finds a timer by its ID, which is unique
// among the outstanding ones of a trace, in a hash table.
type byKey struct {
	schemes.Scheme
	handles map[schemes.ID]schemes.Handle
	action  func(schemes.ID)
	expired func(schemes.ID)
}

func byKeySubject(slots int) run.Subject {
	info := hashunsorted.Info
	info.Name = "hashunsorted-bykey"
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hashunsorted.New(cfg)
		if err != nil {
			return nil, err
		}
		b := &byKey{Scheme: s, handles: make(map[schemes.ID]schemes.Handle, cfg.Capacity)}
		b.expired = func(id schemes.ID) {
			delete(b.handles, id)
			b.action(id)
		}
		return b, nil
	}
	return run.NewSubject(&info, slots, 0)
}

// Start returns the ID and one as the handle: the zero handle names no timer.
func (b *byKey) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	h, err := b.Scheme.Start(interval, id)
	if err != nil {
		return 0, err
	}
	b.handles[id] = h
	return schemes.Handle(id) + 1, nil
}

func (b *byKey) Stop(key schemes.Handle) bool {
	id := schemes.ID(key - 1)
	h, ok := b.handles[id]
	delete(b.handles, id)
	return ok && b.Scheme.Stop(h)
}

func (b *byKey) Expire(action func(schemes.ID)) {
	b.action = action
	b.Scheme.Expire(b.expired)
}

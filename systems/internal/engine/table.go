package engine

// table holds the actions of an engine's timers under small numbers, their IDs in the scheme.
// It grows by pages, so that growing copies nothing and leaves no half-empty array. A large
// table is released when it becomes empty.
type table struct {
	pages [][]func()
	free  []uint32 // released numbers
	made  uint32   // numbers below this one are in use or in free
}

const (
	pageBits = 9 // 4 KiB
	pageLen  = 1 << pageBits

	keptNumbers = 8 * pageLen // the largest table that is kept when it is empty
)

// take stores an action under a number.
func (b *table) take(action func()) (id uint32) {
	if k := len(b.free); k > 0 {
		id = b.free[k-1]
		b.free = b.free[:k-1]
	} else {
		id = b.made
		if id%pageLen == 0 {
			b.pages = append(b.pages, make([]func(), pageLen))
		}
		b.made++
	}
	*b.at(id) = action
	return id
}

func (b *table) at(id uint32) *func() { return &b.pages[id>>pageBits][id%pageLen] }

// clear removes an action, but does not release its number.
func (b *table) clear(id uint32) { *b.at(id) = nil }

// release removes an action and releases its number. It returns nil if the action was
// cleared before.
func (b *table) release(id uint32) (action func()) {
	at := b.at(id)
	action, *at = *at, nil
	b.free = append(b.free, id)
	if b.made > keptNumbers && len(b.free) == int(b.made) {
		*b = table{}
	}
	return action
}

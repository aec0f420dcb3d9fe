package engine

// table has the actions of an engine's timers by small numbers, their IDs in the scheme. It
// grows by pages, so that no place is ever copied and half a table never lies empty, and is
// given up when nobody is in it.
type table struct {
	pages [][]func()
	free  []uint32 // numbers that were in use
	made  uint32   // numbers
}

const (
	pageBits = 9 // 4 KiB
	pageLen  = 1 << pageBits

	kept = 8 * pageLen // numbers of a table that stays when nobody is in it
)

// take gives an action a number.
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

// forget takes an action out, but keeps its number.
func (b *table) forget(id uint32) { *b.at(id) = nil }

// release takes an action out, if it is still in, and its number can be given to another
// one.
func (b *table) release(id uint32) (action func()) {
	at := b.at(id)
	action, *at = *at, nil
	b.free = append(b.free, id)
	if b.made > kept && len(b.free) == int(b.made) {
		*b = table{}
	}
	return action
}

package schemetest

import (
	"fmt"
	"strings"

	"timerlab/schemes"
)

// fault is one thing that the reference does wrong; the empty fault is none.
type fault string

// reference is a sound scheme, as plain as the suite's demands allow: a list sorted by deadline and a due list,
// linked by index, whose records are used again with a new generation. So it is scheme 2; with another number
// it takes only that scheme's range. Every fault is a line somewhere in it.
type reference struct {
	fault   fault
	now     schemes.Tick
	longest func() schemes.Tick // of the Levels or Slots, read at every Start
	records []record            // 0 is the head of the sorted list, 1 of the due list
	free    []uint32
	n       int
	counts  schemes.Counts
	firing  bool
	current uint32 // the record whose action runs
	starts  int
	checks  int
	leaked  []uint32
	byID    map[schemes.ID]schemes.Handle
	rounded func(interval schemes.Tick) schemes.Tick // the deadline, if it is not exact
}

type record struct {
	next, prev uint32
	generation uint32
	deadline   schemes.Tick
	id         schemes.ID
	state      state // stopped and expired: free
}

const waitingHead, dueHead = 0, 1

// referenceInfo describes the reference as the scheme of that number, with a fault.
func referenceInfo(number int, f fault) *schemes.Info {
	return wrapped(number, f, func(r *reference, _ setting) schemes.Scheme { return r })
}

// wrapped describes what wrap makes of the reference.
func wrapped(number int, f fault, wrap func(*reference, setting) schemes.Scheme) *schemes.Info {
	info := &schemes.Info{Number: number, Name: "reference", Title: "Reference", Doc: "A sorted list."}
	if number != 2 {
		info.Name = fmt.Sprintf("reference-as%d", number)
	}
	info.Range = func(cfg schemes.Config) schemes.Tick { return setting{info, cfg}.required() }
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		if err := refusal(info, cfg, f); err != nil {
			return nil, err
		}
		return wrap(newReference(info, cfg, f), setting{info, cfg}), nil
	}
	return info
}

func refusal(info *schemes.Info, cfg schemes.Config, f fault) error {
	sum := 0
	for _, r := range (setting{info, cfg}).wheels() {
		if r < 1 || r > schemes.MaxSlots-sum && f != "slots unlimited" {
			return fmt.Errorf("reference: slots %d: %w", r, schemes.ErrConfig)
		}
		sum += r
	}
	if cfg.Capacity < 0 && f != "negative capacity accepted" {
		return fmt.Errorf("reference: capacity %d is negative: %w", cfg.Capacity, schemes.ErrConfig)
	}
	if cfg.Slots < 0 && f == "unused slots read" {
		return fmt.Errorf("reference: slots %d: %w", cfg.Slots, schemes.ErrConfig)
	}
	return nil
}

func newReference(info *schemes.Info, cfg schemes.Config, f fault) *reference {
	room := max(cfg.Capacity, 0)
	if f == "capacity ignored" {
		room = 0
	}
	r := &reference{
		fault: f, now: cfg.Now,
		records: make([]record, 2, room+2),
		free:    make([]uint32, 0, room),
		byID:    map[schemes.ID]schemes.Handle{},
	}
	longest := setting{info, cfg}.required()
	r.longest = func() schemes.Tick { return longest }
	if f == "levels not copied" {
		r.longest = func() schemes.Tick { return setting{info, cfg}.required() }
	}
	r.records[dueHead] = record{next: dueHead, prev: dueHead}
	return r
}

func (r *reference) is(f fault) bool { return r.fault == f }

func (r *reference) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if err := r.bad(interval); err != nil {
		if r.is("refused start counted") {
			r.n++
		}
		return 0, err
	}
	if r.n >= 500 && r.is("cannot grow") {
		return 0, schemes.ErrFull
	}
	if r.starts++; r.starts%100_000 == 0 && r.is("one in a hundred thousand dropped") {
		return schemes.Handle(uint64(1)<<63 | uint64(r.starts)), nil
	}
	if r.is("one timer for an ID") {
		r.Stop(r.byID[id])
	}
	i := r.take()
	t := &r.records[i]
	t.id, t.state, t.deadline = id, waiting, r.deadline(interval)
	r.n++
	if r.firing && interval == 8 && r.is("slot walked while it grows") {
		r.counts.Links++
		t.state = due
		r.link(i, dueHead)
		return r.handle(i), nil
	}
	if r.is("allocates") {
		sink = new(schemes.ID)
	}
	r.link(i, r.place(t.deadline))
	h := r.handle(i)
	if r.is("one timer for an ID") {
		r.byID[id] = h
	}
	return h, nil
}

var sink *schemes.ID // makes an allocation escape

// bad is the error of an interval that is not accepted.
func (r *reference) bad(interval schemes.Tick) error {
	longest, left := r.longest(), endOfClock-r.now
	switch {
	case interval == 0 && r.is("interval 0 accepted"),
		interval > longest && r.is("over-range accepted and fired early"),
		interval > left && r.is("past the clock accepted"):
		return nil
	case interval == longest && r.is("range end refused"), interval == left && r.is("clock end refused"),
		interval == 0, interval > longest, interval > left:
		if r.is("error not wrapped") {
			return fmt.Errorf("reference: interval %d of %d", interval, longest)
		}
		if r.is("error without the value") {
			return fmt.Errorf("reference: %w", schemes.ErrInterval)
		}
		return fmt.Errorf("reference: interval %d, allowed 1 to %d: %w", interval, min(longest, left), schemes.ErrInterval)
	}
	return nil
}

func (r *reference) deadline(interval schemes.Tick) schemes.Tick {
	d := r.now + interval
	switch {
	case r.rounded != nil:
		return r.rounded(interval)
	case r.is("late at a level boundary") && interval%256 == 0:
		return d + 1
	case r.is("over-range accepted and fired early") && interval > r.longest():
		return r.now + 1 + (interval-1)%r.longest()
	case r.is("32-bit deadline"):
		return schemes.Tick(uint32(d))
	}
	return d
}

// take gives a record with a generation that it never had.
func (r *reference) take() uint32 {
	if len(r.free) == 0 {
		r.records = append(r.records, record{})
		return uint32(len(r.records) - 1)
	}
	i := r.free[len(r.free)-1]
	r.free = r.free[:len(r.free)-1]
	if r.records[i].generation++; r.is("generation of 16 bits") {
		r.records[i].generation %= 1 << 16
	}
	return i
}

func (r *reference) handle(i uint32) schemes.Handle {
	if r.is("first handle zero") {
		i -= 2
	}
	return schemes.Handle(uint64(r.records[i].generation)<<32 | uint64(i))
}

// earlier compares deadlines.
func (r *reference) earlier(a, b schemes.Tick) bool {
	if r.is("signed compare") {
		return int64(a) < int64(b)
	}
	return a < b
}

// place is the first waiting record that is due later than deadline, or the head.
func (r *reference) place(deadline schemes.Tick) uint32 {
	i := r.records[waitingHead].next
	for ; i != waitingHead; i = r.records[i].next {
		r.counts.Compares++
		if r.earlier(deadline, r.records[i].deadline) {
			break
		}
		if r.is("compares miscounted") {
			r.counts.Compares++
		}
	}
	return i
}

// link puts i before another record; unlink takes it out.
func (r *reference) link(i, before uint32) {
	after := r.records[before].prev
	r.records[i].next, r.records[i].prev = before, after
	r.records[after].next, r.records[before].prev = i, i
	if r.records[i].state == waiting {
		r.counts.Links++
	}
}

func (r *reference) unlink(i uint32) {
	t := &r.records[i]
	r.records[t.prev].next, r.records[t.next].prev = t.next, t.prev
	if t.state == waiting && !r.is("leaving not counted") {
		r.counts.Links++
	}
}

func (r *reference) Stop(h schemes.Handle) bool {
	i, generation := uint32(h), uint32(h>>32)
	if r.is("foreign handle panics") && i < 1<<20 {
		_ = r.records[i]
	}
	if i < 2 || uint64(i) >= uint64(len(r.records)) {
		return h == 0 && r.is("zero handle stopped")
	}
	t := &r.records[i]
	switch {
	case t.generation != generation && !r.is("stale handle honoured"),
		r.is("due timer not stoppable") && t.state == due,
		t.state == stopped && !r.is("stopped twice"), t.state == expired && !(r.current == i && r.is("oneself stoppable")):
		return false
	case t.state > due:
		return true
	case t.state == waiting && r.is("stopped timer kept"):
		r.counts.Links++
		r.n--
		return true
	case t.state == due && r.firing && r.is("sibling still handed out"):
		r.n--
		return true
	}
	r.unlink(i)
	r.release(i, stopped)
	if r.is("a word leaked by every stop") {
		r.leaked = append(r.leaked, i)
	}
	return true
}

// release makes i free.
func (r *reference) release(i uint32, s state) {
	r.records[i].state = s
	if !r.is("storage used once") {
		r.free = append(r.free, i)
	}
	if r.n--; r.n == 0 && len(r.records) > 20_000 && r.is("generations forgotten after a peak") {
		r.records, r.free = r.records[:2], r.free[:0]
	}
}

func (r *reference) PerTick() int {
	if r.now == endOfClock && !r.is("clock wraps") {
		return 0
	}
	r.now++
	if r.is("counts start again") && r.now%16 == 0 {
		r.counts.Visits = 0
	}
	for r.is("hangs") && r.n > 3 {
		<-forever
	}
	moved := 0
	for {
		i := r.records[waitingHead].next
		if i == waitingHead {
			break
		}
		if !r.is("visits miscounted") || r.isDue(i) {
			r.counts.Visits++
		}
		if !r.isDue(i) {
			break
		}
		r.unlink(i)
		r.records[i].state = due
		moved++
		if r.is("later ticks first") {
			r.link(i, r.records[dueHead].next)
		} else {
			r.link(i, dueHead)
		}
	}
	return r.returned(moved)
}

var forever = make(chan struct{})

func (r *reference) isDue(i uint32) bool {
	if r.is("32-bit deadline") {
		return uint32(r.records[i].deadline) == uint32(r.now)
	}
	return !r.earlier(r.now, r.records[i].deadline)
}

func (r *reference) returned(moved int) int {
	if moved > 0 && r.is("PerTick returns all due") {
		return r.listed(dueHead)
	}
	return moved
}

// listed is the number of timers in the list of a head.
func (r *reference) listed(head uint32) (n int) {
	for i := r.records[head].next; i != head; i = r.records[i].next {
		n++
	}
	return n
}

func (r *reference) Expire(action func(schemes.ID)) {
	r.firing = true
	defer func() {
		r.firing = false
		if p := recover(); p != nil && !r.is("panic swallowed") {
			if r.is("due timers lost on a panic") {
				r.dropDue()
			}
			panic(p)
		}
	}()
	if r.is("order of a map") {
		r.shuffle()
	}
	for {
		i := r.records[dueHead].next
		if i == dueHead {
			return
		}
		id := r.records[i].id
		r.unlink(i)
		r.release(i, expired)
		r.current = i
		action(id)
		r.current = 0
		if r.is("handed out twice") && r.records[i].state == expired && id%5 == 0 {
			action(id)
		}
	}
}

func (r *reference) dropDue() {
	for r.records[dueHead].next != dueHead {
		i := r.records[dueHead].next
		r.unlink(i)
		r.release(i, stopped)
	}
}

// shuffle orders the due timers of the first tick as a map does.
func (r *reference) shuffle() {
	first := r.records[r.records[dueHead].next].deadline
	batch := map[uint32]bool{}
	for i := r.records[dueHead].next; i != dueHead && r.records[i].deadline == first; i = r.records[i].next {
		batch[i] = true
	}
	for i := range batch {
		r.unlink(i)
		r.link(i, r.records[dueHead].next)
	}
}

func (r *reference) Len() int {
	if r.is("Len without due timers") {
		return r.listed(waitingHead)
	}
	return r.n
}

func (r *reference) Counts() schemes.Counts {
	c := r.counts
	if r.is("empty slots counted") {
		c.EmptySlots = 1
	}
	if r.is("migrations counted") {
		c.Migrations = 1
	}
	return c
}

func (r *reference) Check() error {
	if r.is("Check counts") {
		r.counts.Visits++
	}
	if r.checks++; r.is("Check always errs") || r.is("Check wrong at last") && r.checks == 20 {
		return fmt.Errorf("reference: the list is not sorted")
	}
	if first := r.records[dueHead].next; r.is("Check changes the order") && first != dueHead {
		if r.records[first].deadline == r.records[r.records[dueHead].prev].deadline {
			r.unlink(first)
			r.link(first, dueHead)
		}
	}
	return nil
}

func (r *reference) String() string {
	if r.n == 0 && r.is("String panics when empty") {
		return fmt.Sprint(r.records[2])
	}
	if r.is("String draws every timer") {
		return strings.Repeat("timer\n", r.n)
	}
	return fmt.Sprintf("%d timers", r.n)
}

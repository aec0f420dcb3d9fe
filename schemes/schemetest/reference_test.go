package schemetest

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/schemes"
)

// fault is one thing that the reference does wrong; the empty fault is none.
type fault string

// reference is a sound scheme, as plain as the suite's demands allow: a list sorted by deadline and a due list, of
// records that are used again with a new generation. So it is scheme 2; with another number it takes only that
// scheme's range. Every fault is a line somewhere in it.
type reference struct {
	fault   fault
	now     schemes.Tick
	longest func() schemes.Tick // of the Levels or Slots, read at every Start
	records []record            // 0 is none's, so that no handle is zero
	waiting []uint32            // sorted by deadline
	due     []uint32            // in the order of handing out
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
	generation uint32
	deadline   schemes.Tick
	id         schemes.ID
	state      state // stopped and expired: free
}

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
		of := setting{info, cfg}
		if err := of.refusal(f); err != nil {
			return nil, err
		}
		r := &reference{fault: f, now: cfg.Now, byID: map[schemes.ID]schemes.Handle{}}
		room := max(cfg.Capacity, 0)
		if f == "capacity ignored" {
			room = 0
		}
		r.records, r.waiting, r.free = make([]record, 1, room+1), make([]uint32, 0, room), make([]uint32, 0, room)
		longest := of.required()
		r.longest = func() schemes.Tick {
			if f == "levels not copied" {
				return of.required()
			}
			return longest
		}
		return wrap(r, of), nil
	}
	return info
}

func (c setting) refusal(f fault) error {
	sum := 0
	for _, r := range c.wheels() {
		if r < 1 || r > schemes.MaxSlots-sum && f != "slots unlimited" {
			return fmt.Errorf("reference: slots %d: %w", r, schemes.ErrConfig)
		}
		sum += r
	}
	if c.cfg.Capacity < 0 && f != "negative capacity accepted" {
		return fmt.Errorf("reference: capacity %d is negative: %w", c.cfg.Capacity, schemes.ErrConfig)
	}
	if c.cfg.Slots < 0 && f == "unused slots read" {
		return fmt.Errorf("reference: slots %d: %w", c.cfg.Slots, schemes.ErrConfig)
	}
	return nil
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
	if r.firing && interval == 8 && r.is("slot walked while it grows") || t.deadline == r.now && r.is("due on its own tick") {
		r.counts.Links++
		t.state = due
		r.put(i, len(r.due))
		return r.handle(i), nil
	}
	if r.is("allocates") {
		sink = new(schemes.ID)
	}
	r.put(i, r.place(t.deadline))
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
		i--
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

// place is that of the first waiting record that is due later than deadline, or the end.
func (r *reference) place(deadline schemes.Tick) int {
	for at, i := range r.waiting {
		r.counts.Compares++
		if r.earlier(deadline, r.records[i].deadline) {
			return at
		}
		if r.is("compares miscounted") {
			r.counts.Compares++
		}
	}
	return len(r.waiting)
}

// list is the one that a record of this state is in.
func (r *reference) list(s state) *[]uint32 {
	if s == due {
		return &r.due
	}
	return &r.waiting
}

// put puts i into the list of its state; takeOut takes it out.
func (r *reference) put(i uint32, at int) {
	list := r.list(r.records[i].state)
	if *list = slices.Insert(*list, at, i); list == &r.waiting {
		r.counts.Links++
	}
}

func (r *reference) takeOut(i uint32) {
	list := r.list(r.records[i].state)
	at := slices.Index(*list, i)
	if *list = slices.Delete(*list, at, at+1); list == &r.waiting && !r.is("leaving not counted") {
		r.counts.Links++
	}
}

// named is the record that a handle names or named, whatever its generation, or 0.
func (r *reference) named(h schemes.Handle) (i uint32, current bool) {
	if i = uint32(h); uint64(i) >= uint64(len(r.records)) {
		return 0, false
	}
	return i, i > 0 && r.records[i].generation == uint32(h>>32)
}

func (r *reference) Stop(h schemes.Handle) bool {
	if i := uint32(h); r.is("foreign handle panics") && i < 1<<20 {
		_ = r.records[i]
	}
	i, current := r.named(h)
	if i == 0 {
		return h == 0 && r.is("zero handle stopped")
	}
	t := &r.records[i]
	switch {
	case !current && !r.is("stale handle honoured"),
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
	r.takeOut(i)
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
		r.records, r.free = r.records[:1], r.free[:0]
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
	for len(r.waiting) > 0 {
		i := r.waiting[0]
		if !r.is("visits miscounted") || r.isDue(i) {
			r.counts.Visits++
		}
		if !r.isDue(i) {
			break
		}
		r.takeOut(i)
		r.records[i].state = due
		moved++
		if r.is("later ticks first") {
			r.put(i, 0)
		} else {
			r.put(i, len(r.due))
		}
	}
	if moved > 0 && r.is("PerTick returns all due") {
		return len(r.due)
	}
	return moved
}

var forever = make(chan struct{})

func (r *reference) isDue(i uint32) bool {
	if r.is("32-bit deadline") {
		return uint32(r.records[i].deadline) == uint32(r.now)
	}
	return !r.earlier(r.now, r.records[i].deadline)
}

func (r *reference) Expire(action func(schemes.ID)) {
	r.firing = true
	defer func() {
		r.firing = false
		if p := recover(); p != nil && !r.is("panic swallowed") {
			for len(r.due) > 0 && r.is("due timers lost on a panic") {
				i := r.due[0]
				r.takeOut(i)
				r.release(i, stopped)
			}
			panic(p)
		}
	}()
	if r.is("order of a map") {
		r.shuffle()
	}
	for len(r.due) > 0 {
		i := r.due[0]
		id := r.records[i].id
		r.takeOut(i)
		r.release(i, expired)
		r.current = i
		action(id)
		r.current = 0
		if r.is("handed out twice") && r.records[i].state == expired && id%5 == 0 {
			action(id)
		}
	}
}

// shuffle orders the due timers of the first tick as a map does.
func (r *reference) shuffle() {
	batch := map[uint32]bool{}
	for _, i := range r.due {
		if r.records[i].deadline == r.records[r.due[0]].deadline {
			batch[i] = true
		}
	}
	for i := range batch {
		r.takeOut(i)
		r.put(i, 0)
	}
}

func (r *reference) Len() int {
	if r.is("Len without due timers") {
		return len(r.waiting)
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
	if last := len(r.due) - 1; r.is("Check changes the order") && last >= 0 {
		if first := r.due[0]; r.records[first].deadline == r.records[r.due[last]].deadline {
			r.takeOut(first)
			r.put(first, last)
		}
	}
	return nil
}

func (r *reference) String() string {
	if r.n == 0 && r.is("String panics when empty") {
		return fmt.Sprint(r.waiting[0])
	}
	if r.is("String draws every timer") {
		return strings.Repeat("timer\n", r.n)
	}
	return fmt.Sprintf("%d timers", r.n)
}

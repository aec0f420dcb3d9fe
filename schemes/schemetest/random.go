package schemetest

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"timerlab/schemes"
)

const randomPrograms = 300

func checkModel(s *suite) {
	for seed := range uint64(s.scaled(randomPrograms)) {
		s.try(decode(s.info, noise(seed, 60+int(seed)%300)))
	}
}

func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 0x74696d6572))
	b := make([]byte, 0, n+8)
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, r.Uint64())
	}
	return b[:n]
}

// Fuzz makes a native fuzz target of the rule model: bytes decode to a program.
func Fuzz(f *testing.F, info *schemes.Info) {
	for seed := range uint64(16) {
		f.Add(noise(seed, 32<<(seed%4)))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		check := func(s *suite) { s.try(decode(info, data)) }
		if v := newSuite(info, false).apply(&Rule{Name: "model", check: check}); v != nil {
			t.Fatal(v)
		}
	})
}

// Bounds of a decoded program: it is finite and quick whatever the bytes.
const (
	maxOps   = 400     // operations, also in actions
	maxTicks = 1 << 13 // ticks that PerTick passes in all
)

// decoder reads a program from bytes. Past their end it reads zeros.
type decoder struct {
	program
	data      []byte
	sharedIDs bool // a few IDs, each of many timers; no actions, as it is not known which of two was handed out
	size      int
	ticks     schemes.Tick
	recent    schemes.Tick // the interval of the last start
	steps     []schemes.Tick
}

// decode makes of any bytes a valid program for info's scheme: a setting with few
// slots, a clock, then operations until the bytes or the bounds end.
func decode(info *schemes.Info, data []byte) program {
	d := &decoder{data: data}
	d.setting = pick(d, narrow(settings(info), fewSlots))
	d.cfg.Now = pick(d, d.clocks())
	d.sharedIDs = d.choose(8) == 0
	d.steps = d.boundaries(maxTicks / 8)
	for len(d.data) > 0 && d.size < maxOps {
		d.add(d.op(d.choose(16), 2))
	}
	return d.program
}

// choose is a number below n, which is at most 256.
func (d *decoder) choose(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return int(b) % n
}

func pick[T any](d *decoder, from []T) T { return from[d.choose(len(from))] }

// op is the k-th of 16 operations, or above that the panic of an action. Actions
// of its starts may hold starts, depth levels deep.
func (d *decoder) op(k, depth int) op {
	d.size++
	switch {
	case k < 5:
		o := d.later(d.interval())
		d.recent = o.ticks
		if d.sharedIDs {
			o.id = schemes.ID(d.choose(3))
		} else if b := d.choose(4); b > 1 {
			for range b {
				k := pick(d, []int{0, 0, 0, 5, 5, 5, 7, 16})
				if k == 0 && depth == 0 {
					k = 5
				}
				o.action = append(o.action, d.op(k, depth-1))
			}
		}
		return o
	case k < 7:
		return op{verb: opStop, target: d.target()}
	case k < 8:
		d.last++
		return op{verb: opRestart, label: d.last, ticks: d.interval(), target: d.target()}
	case k < 12:
		return op{verb: opPerTick, ticks: d.pass(1)}
	case k < 13:
		return op{verb: opPerTick, ticks: d.pass(schemes.Tick(d.choose(20)))}
	case k < 14:
		return op{verb: opPerTick, ticks: d.pass(d.recent)}
	case k < 15:
		return op{verb: opAdvance, ticks: d.pass(d.interval() % (maxTicks / 8))}
	case k < 16:
		return op{verb: opExpire}
	}
	return op{verb: opPanic}
}

// pass takes n ticks, at least one, off the ticks that the program may pass.
func (d *decoder) pass(n schemes.Tick) schemes.Tick {
	n = max(1, min(n, maxTicks/8, maxTicks-d.ticks))
	d.ticks += n
	return n
}

// target is mostly a recent timer, sometimes an old one, one to come, or a handle of no timer.
func (d *decoder) target() target {
	back := func(n int) label { return max(0, d.last-label(n)) } // the n-th last timer, or none before the first
	switch k := d.choose(64); {
	case k < 48:
		return target{label: back(k % 8)}
	case k < 58:
		return target{label: back(d.choose(256))}
	case k < 60:
		return target{label: back(k % 8), bits: 1 << d.choose(64)}
	case k < 61:
		return target{bits: schemes.Handle(d.word())}
	case k < 63:
		return target{label: d.last + 1}
	}
	return target{}
}

// interval is mostly small, so that timers meet on one tick, often a boundary
// of the wheels, and sometimes any 64 bits.
func (d *decoder) interval() schemes.Tick {
	switch k := d.choose(32); {
	case k < 14:
		return schemes.Tick(k / 2)
	case k < 28:
		return pick(d, d.steps)
	case k < 29:
		return d.longest() - schemes.Tick(d.choose(4)) + 1
	case k < 30:
		return endOfClock - d.cfg.Now - schemes.Tick(d.choose(4))
	case k < 31:
		return schemes.Tick(d.choose(256))
	}
	return schemes.Tick(d.word() >> d.choose(64))
}

// word spreads two bytes over 64 bits.
func (d *decoder) word() uint64 {
	w := uint64(d.choose(256))<<8 | uint64(d.choose(256))
	return bits.RotateLeft64(w*0x9e3779b97f4a7c15, 31)
}

// shrinkBudget bounds the operations (each of many PerTicks counted) that shrinking one program may execute.
const shrinkBudget = 1 << 20

// shrink returns p with as few operations as it could find for which fails still holds; fails(p) must. It takes
// steps at every place, of all operations first, then of a half, a quarter, and so on to single ones, until no
// step is left. Failures that need all of a long program stay long; the text of a violation is cut then.
func shrink(p program, fails func(program) bool) program {
	budget := shrinkBudget
	cost := func(ops []op) (sum int) {
		for _, o := range ops {
			if sum++; o.verb == opPerTick {
				sum += int(min(o.ticks, shrinkBudget))
			}
		}
		return sum
	}
	for found := true; found; {
		found = false
		for n := len(p.ops); n >= 1; n /= 2 {
			for at := 0; at < len(p.ops); {
				before := at
				at += n
				for _, ops := range smaller(p.ops, before, n) {
					q := p
					q.ops = ops
					if budget -= cost(ops); budget <= 0 {
						return p
					}
					if fails(q) {
						p, at, found = q, before, true
						break
					}
				}
			}
		}
	}
	return p
}

// smaller returns programs that are a step smaller: without n operations or, where n is 1, with the
// PerTick joined with the one before, or with less of an action or of ticks.
func smaller(ops []op, at, n int) [][]op {
	o, without := ops[at], slices.Delete(slices.Clone(ops), at, min(at+n, len(ops)))
	all := [][]op{without}
	if n > 1 {
		return all
	}
	if at > 0 && o.verb == opPerTick && ops[at-1].verb == opPerTick {
		joined := slices.Clone(without)
		joined[at-1].ticks += o.ticks
		all = append(all, joined)
	}
	with := func(o op) { all = append(all, slices.Replace(slices.Clone(ops), at, at+1, o)) }
	for k := range o.action {
		less := o
		less.action = slices.Delete(slices.Clone(o.action), k, k+1)
		with(less)
	}
	for shift := 1; o.ticks>>shift > 0; shift++ {
		less := o
		less.ticks -= o.ticks >> shift
		with(less)
	}
	return all
}

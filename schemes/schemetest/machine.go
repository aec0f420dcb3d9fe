package schemetest

import (
	"cmp"
	"sync/atomic"

	"timerlab/schemes"
)

// machine executes a program on a scheme and on the model, operation by operation,
// and stops at the first difference.
type machine struct {
	optional
	program program
	rule    string   // the rule that wrote the program: its differences break it
	strict  bool     // every difference breaks rule, whatever it is
	twin    *machine // runs in turns with this one, or nil
	oracles *oracles
	mute    bool           // do not look at what the scheme says about itself
	steps   *atomic.Uint64 // operations that returned; nil without a watchdog
	at      atomic.Int32   // index of the operation being executed; read by a watchdog

	scheme schemes.Scheme
	slots  int // M
	model  *model
	order  []schemes.ID // handed out so far

	counts  schemes.Counts // at the last look
	passing bool           // in a run of PerTicks
	unseen  int            // see checkNow
	looks   int
	expires int    // Expires so far
	current *timer // whose action is running
	thrown  any    // the panic on its way from an action through Expire
	throws  int    // panics of actions so far
	trail   *trail // nil unless the program is to be reported
	failure *failure
	doubted *failure // see doubt
}

// execute runs the program, in turns with its twin, and returns the first
// failure, or nil.
func (m *machine) execute() (f *failure) {
	all := []*machine{m}
	if m.twin != nil {
		all = append(all, m.twin)
	}
	defer func() {
		r := recover()
		for _, m := range all {
			f = cmp.Or(f, m.failure)
		}
		if r != nil && f == nil {
			m.record(rulePanic, "%s", panicText(r))
		}
		f = cmp.Or(f, m.failure, m.doubted)
	}()
	n := 0
	for _, m := range all {
		m.open()
		n = max(n, len(m.program.ops))
	}
	for i := range n {
		for _, m := range all {
			m.do(i)
		}
	}
	for _, m := range all {
		m.finish()
	}
	return nil
}

// open makes the scheme and the model.
func (m *machine) open() {
	p := &m.program
	s, err := p.info.New(p.cfg)
	if err != nil || s == nil {
		m.fail("New failed: %v", err)
	}
	m.scheme, m.optional, m.slots = s, optionalOf(s), p.slots()
	m.model = newModel(p.cfg.Now, p.longest())
	m.model.oracle, m.model.last = m.oracles.about(p.setting, s), p.lastTick()
	m.look()
}

// do executes the operation at index i, if there is one.
func (m *machine) do(i int) {
	if i < len(m.program.ops) {
		m.at.Store(int32(i))
		m.perform(&m.program.ops[i])
	}
}

// finish stops all outstanding timers, so that one lost before its deadline is
// detected.
func (m *machine) finish() {
	m.at.Store(int32(len(m.program.ops)))
	for l := label(1); int(l) <= len(m.model.timers) && m.model.len() <= 256; l++ {
		if t := m.model.timers[l]; t != nil && t.state <= due {
			m.perform(&op{verb: opStop, target: target{label: l}})
		}
	}
}

// perform executes one operation and looks at the scheme.
func (m *machine) perform(o *op) {
	switch o.verb {
	case opStart:
		m.start(o)
	case opStop:
		m.stop(o)
	case opRestart:
		m.restart(o)
	case opPerTick:
		m.perTick(o)
	case opAdvance:
		m.advance(o)
	case opExpire:
		m.expire()
	case opPanic:
		m.panic()
	}
	m.stepped()
	m.look()
}

// stepped says that an operation has returned.
func (m *machine) stepped() {
	if m.steps != nil {
		m.steps.Add(1)
	}
}

package schemetest

import (
	"testing"

	"timerlab/schemes"
)

// lazy is the reference with lazy stops: a stopped timer stays in the list until its deadline.
type lazy struct {
	*reference
	held int
}

func lazyInfo(f fault) *schemes.Info {
	info := wrapped(2, f, func(r *reference, _ setting) schemes.Scheme { return &lazy{reference: r} })
	info.Name = "reference-lazy"
	return info
}

func (l *lazy) Stop(h schemes.Handle) bool {
	i := uint32(h)
	if i < 2 || uint64(i) >= uint64(len(l.records)) || l.records[i].generation != uint32(h>>32) || l.records[i].state != waiting {
		return l.reference.Stop(h)
	}
	l.records[i].state = stopped
	l.n--
	l.held++
	if l.is("leaving counted at the stop") {
		l.counts.Links++
	}
	return true
}

func (l *lazy) PerTick() int {
	for i := l.records[waitingHead].next; i != waitingHead && l.now < endOfClock; {
		t := &l.records[i]
		if t.deadline > l.now+1 {
			break
		}
		next := t.next
		if t.state == stopped {
			l.discard(i)
		}
		i = next
	}
	return l.reference.PerTick()
}

// discard takes a stopped timer out of the list.
func (l *lazy) discard(i uint32) {
	if l.is("never discards") {
		l.unlink(i)
		return
	}
	if l.records[i].state = waiting; l.is("leaving counted at the stop") {
		l.counts.Links--
	}
	l.unlink(i)
	l.n++
	l.release(i, stopped)
	l.held--
}

func (l *lazy) Held() int {
	if l.is("Held without due timers") {
		return l.n + l.held - l.listed(dueHead)
	}
	return l.n + l.held
}

func TestBrokenLazyIsRejected(t *testing.T) {
	for f, rule := range map[fault]string{
		"never discards":              "held",
		"Held without due timers":     "held",
		"leaving counted at the stop": "counts-links",
		"Len without due timers":      "len",
	} {
		t.Run(string(f), func(t *testing.T) { rejected(t, lazyInfo(f), rule) })
	}
}

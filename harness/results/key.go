package results

import (
	"cmp"
	"encoding"
	"fmt"
	"math"
	"strings"

	"timerlab/harness/results/units"

	"golang.org/x/perf/benchfmt"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Key names a cell: the operation and the keys of a benchmark's name, as text.
type Key struct {
	Op, Scheme, N, Slots, Levels, T, Dist string
	Stop, Restart                         string // share of timers and when, in the format of workload.Stops
	Arrivals                              string
	Service                               string // the timer service; it has no scheme, T, Dist or Stop
	Rest                                  string // further keys, as in the name
	Pkg, Procs                            string // of go test: the package, GOMAXPROCS; see Table.named
}

// keyField is a key of a name and the field that it is in. Tools that read the Go benchmark format do not
// accept "@" in a name, so workload.Stops are two keys: /stop=0.9/after=0.05.
type keyField struct {
	key, after string
	value      *string
}

// fields returns the keys in the order of a name, without Rest, Pkg and Procs.
func (k *Key) fields() []keyField {
	return []keyField{
		{"scheme", "", &k.Scheme}, {"service", "", &k.Service}, {"n", "", &k.N}, {"M", "", &k.Slots},
		{"m", "", &k.Levels}, {"T", "", &k.T}, {"dist", "", &k.Dist}, {"stop", "after", &k.Stop},
		{"restart", "restart-after", &k.Restart}, {"arrivals", "", &k.Arrivals},
	}
}

// String returns the name of the key's benchmark.
func (k Key) String() string {
	name := k.Op
	for _, f := range k.fields() {
		if *f.value != "" {
			name += "/" + f.key + "=" + strings.Replace(*f.value, "@", "/"+f.after+"=", 1)
		}
	}
	name += k.Rest
	if k.Pkg != "" {
		name += "/pkg=" + k.Pkg
	}
	if k.Procs != "" {
		name += "/" + procsKey + "=" + k.Procs
	}
	return name
}

// Value returns the value of a key of the name, or "".
func (k Key) Value(key string) string {
	for _, f := range k.fields() {
		if f.key == key {
			return *f.value
		}
	}
	_, rest, _ := strings.Cut(k.Rest, "/"+key+"=")
	value, _, _ := strings.Cut(rest, "/")
	return value
}

// ParseKey parses the name of a benchmark, without "Benchmark". It drops the GOMAXPROCS suffix that go test appends.
func ParseKey(name string) Key {
	k := parseName(name)
	k.Procs = ""
	return k
}

// parseName is ParseKey with the suffix as Procs.
func parseName(name string) (k Key) {
	op, parts := benchfmt.Name(name).Parts()
	k.Op = string(op)
	fields := k.fields()
next:
	for _, p := range parts {
		if p[0] == '-' {
			k.Procs = string(p[1:])
			continue
		}
		key, value, _ := strings.Cut(string(p[1:]), "=")
		for _, f := range fields {
			switch {
			case key == f.key:
				*f.value = value
				continue next
			case key == f.after && key != "":
				*f.value += "@" + value
				continue next
			}
		}
		k.Rest += string(p)
	}
	return k
}

// Cell is a key with its values parsed.
type Cell struct {
	Key
	Spec   workload.Spec // without what a name does not have: length, seed, Every
	Slots  int           // M
	Levels workload.Levels
}

// Cell parses the values of a key. The error is the first value that does not parse; its field and
// those that the name does not have are zero.
func (k Key) Cell() (c Cell, err error) {
	c.Key = k
	var n, slots, mean workload.Count
	var stop, restart workload.Stops
	read := func(text string, into encoding.TextUnmarshaler) {
		if text != "" {
			err = cmp.Or(err, into.UnmarshalText([]byte(text)))
		}
	}
	read(k.N, &n)
	read(k.Slots, &slots)
	read(k.Levels, &c.Levels)
	read(k.T, &mean)
	read(k.Stop, &stop)
	read(k.Dist, &c.Spec.Dist)
	read(k.Restart, &restart)
	read(k.Arrivals, &c.Spec.Arrivals)
	const most = math.MaxInt32 // more slots or timers do not fit into memory
	if err == nil && max(n, slots) > most {
		err = fmt.Errorf("n = %v, M = %v: out of range (use at most %d)", n, slots, most)
	}
	c.Spec.N, c.Spec.T, c.Slots = int(min(n, most)), schemes.Tick(mean), int(min(slots, most))
	c.Spec.Stop, c.Spec.StopAt, c.Spec.Restart, c.Spec.RestartAt = stop.Share, stop.At, restart.Share, restart.At
	return c, err
}

// Control returns the cell of which k is the second of an A/A pair, if it is one.
func (k Key) Control() (first Key, ok bool) {
	first = k
	first.Scheme, first.Service = strings.TrimSuffix(k.Scheme, units.Again), strings.TrimSuffix(k.Service, units.Again)
	return first, first != k
}

// Comparison returns what the cells that are compared have in common: the operation and the
// workload, without the subject, its sizes and further keys.
func (k Key) Comparison() Key {
	return Key{Op: k.Op, N: k.N, T: k.T, Dist: k.Dist, Stop: k.Stop, Restart: k.Restart, Arrivals: k.Arrivals}
}

// Stream names the workload of the operations that a cell was measured on, as OtherStreams does.
func (k Key) Stream() string {
	stream := k.Comparison()
	stream.Op = units.RunOf(k.Op)
	return stream.String()
}

package results

import (
	"fmt"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Key names a cell: the operation and the keys of a benchmark's name, as text.
type Key struct {
	Op, Scheme, N, Slots, Levels, T, Dist string
	Stop                                  string // share of timers stopped and when, in the format of FormatFraction
	Facility                              string // the timer service; it has no scheme, T, Dist or Stop
	Rest                                  string // further keys, as in the name
}

// String returns the name of the key's benchmark.
func (k Key) String() string {
	if k.Facility != "" {
		return fmt.Sprintf("%s/facility=%s/n=%s%s", k.Op, k.Facility, k.N, k.Rest)
	}
	name := k.Op
	for _, kv := range [][2]string{
		{"scheme", k.Scheme}, {"n", k.N}, {"M", k.Slots}, {"m", k.Levels}, {"T", k.T}, {"dist", k.Dist},
	} {
		if kv[1] != "" {
			name += "/" + kv[0] + "=" + kv[1]
		}
	}
	if k.Stop != "" {
		name += FractionKeys("stop", k.Stop)
	}
	return name + k.Rest
}

// ParseKey parses the name of a benchmark, without "Benchmark". It drops the
// GOMAXPROCS suffix that go test appends.
func ParseKey(name string) Key {
	op, parts := benchfmt.Name(name).Parts()
	k := Key{Op: string(op)}
	for _, p := range parts {
		if p[0] == '-' {
			continue
		}
		key, value, _ := strings.Cut(string(p[1:]), "=")
		if key == partKeys["stop"] {
			k.Stop += "@" + value
		} else if field := k.field(key); field != nil {
			*field = value
		} else {
			k.Rest += string(p)
		}
	}
	return k
}

// field returns the field for a key of the name, or nil if the key belongs in Rest.
func (k *Key) field(key string) *string {
	switch key {
	case "scheme":
		return &k.Scheme
	case "facility":
		return &k.Facility
	case "n":
		return &k.N
	case "M":
		return &k.Slots
	case "m":
		return &k.Levels
	case "T":
		return &k.T
	case "dist":
		return &k.Dist
	case "stop":
		return &k.Stop
	}
	return nil
}

package results

import (
	"fmt"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Key names a cell: the operation and the keys of a benchmark's name, as text.
type Key struct {
	Op, Scheme, N, Slots, Levels, T, Dist, Stop string
	Facility                                    string // of a timer facility, which has no scheme, T, Dist or Stop
	Rest                                        string // further keys, as in the name
}

// String writes the key as the name of its benchmark.
func (k Key) String() string {
	if k.Facility != "" {
		return fmt.Sprintf("%s/facility=%s/n=%s%s", k.Op, k.Facility, k.N, k.Rest)
	}
	levels := ""
	if k.Levels != "" {
		levels = "/m=" + k.Levels
	}
	return fmt.Sprintf("%s/scheme=%s/n=%s/M=%s%s/T=%s/dist=%s/stop=%s%s", k.Op, k.Scheme, k.N, k.Slots, levels, k.T, k.Dist, k.Stop, k.Rest)
}

// ParseKey reads the name of a benchmark, without "Benchmark". The GOMAXPROCS that
// go test puts behind a name is left out.
func ParseKey(name string) Key {
	op, parts := benchfmt.Name(name).Parts()
	k := Key{Op: string(op)}
	for _, p := range parts {
		if p[0] == '-' {
			continue
		}
		key, value, _ := strings.Cut(string(p[1:]), "=")
		if field := k.field(key); field != nil {
			*field = value
		} else {
			k.Rest += string(p)
		}
	}
	return k
}

// field returns where the value of a key of the name goes; nil: to Rest.
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

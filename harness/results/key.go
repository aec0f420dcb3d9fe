package results

import (
	"fmt"
	"strconv"
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

// keyField is a key of a name and the field that it is in.
type keyField struct {
	key   string
	value *string
}

// fields returns the keys in the order of a name, but for those of Rest.
func (k *Key) fields() []keyField {
	return []keyField{
		{"scheme", &k.Scheme}, {"facility", &k.Facility}, {"n", &k.N}, {"M", &k.Slots}, {"m", &k.Levels},
		{"T", &k.T}, {"dist", &k.Dist}, {"stop", &k.Stop},
	}
}

// String returns the name of the key's benchmark. Tools that read the Go benchmark
// format do not accept "@" in a name, so a fraction is two keys: /stop=0.9/after=0.05.
func (k Key) String() string {
	name := k.Op
	for _, f := range k.fields() {
		if *f.value != "" {
			name += "/" + f.key + "=" + strings.Replace(*f.value, "@", "/after=", 1)
		}
	}
	return name + k.Rest
}

// ParseKey parses the name of a benchmark, without "Benchmark". It drops the
// GOMAXPROCS suffix that go test appends.
func ParseKey(name string) Key {
	op, parts := benchfmt.Name(name).Parts()
	k := Key{Op: string(op)}
	fields := k.fields()
next:
	for _, p := range parts {
		if p[0] == '-' {
			continue
		}
		key, value, _ := strings.Cut(string(p[1:]), "=")
		if key == "after" {
			k.Stop += "@" + value
			continue
		}
		for _, f := range fields {
			if f.key == key {
				*f.value = value
				continue next
			}
		}
		k.Rest += string(p)
	}
	return k
}

// Radices formats the slots of each level, lowest first: 60x60x24.
func Radices(levels []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(levels), "[]"), " ", "x")
}

// ParseRadices parses the format of Radices. The empty string means no levels.
func ParseRadices(text string) (levels []int, err error) {
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, "x") {
		radix, err := strconv.Atoi(part)
		if err != nil || radix < 1 {
			return nil, fmt.Errorf("invalid radices %q (use whole numbers from 1, separated by x, as in 60x60x24)",
				text)
		}
		levels = append(levels, radix)
	}
	return levels, nil
}

// FormatFraction formats a share of timers and the part of their interval after
// which something happens to them: 0, or 0.9@0.05.
func FormatFraction(share, part float64) string {
	if share == 0 {
		return "0"
	}
	// Without an exponent: benchmark names give "-" another meaning.
	return strconv.FormatFloat(share, 'f', -1, 64) + "@" + strconv.FormatFloat(part, 'f', -1, 64)
}

// ParseFraction parses the format of FormatFraction.
func ParseFraction(text string) (share, part float64, err error) {
	first, second, has := strings.Cut(text, "@")
	share, err = strconv.ParseFloat(first, 64)
	if err == nil && has {
		part, err = strconv.ParseFloat(second, 64)
	}
	if err != nil || !(share >= 0 && share <= 1 && part >= 0 && part <= 1) || has != (share > 0) {
		return 0, 0, fmt.Errorf("invalid share of timers %q (use 0, or a share and a part of the interval, both "+
			"above 0 and at most 1, as in 0.9@0.05)", text)
	}
	return share, part, nil
}

// Twin returns the cell of which k is the second of an A/A pair, if it is one.
func (k Key) Twin() (first Key, ok bool) {
	first = k
	first.Scheme, first.Facility = strings.TrimSuffix(k.Scheme, Again), strings.TrimSuffix(k.Facility, Again)
	return first, first != k
}

// Comparison returns what the cells that are compared have in common: the operation and the
// workload, without the subject, its sizes and further keys.
func (k Key) Comparison() Key { return Key{Op: k.Op, N: k.N, T: k.T, Dist: k.Dist, Stop: k.Stop} }

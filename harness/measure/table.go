package measure

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// Key names a cell: the operation and the keys of a benchmark's name, as text.
type Key struct {
	Op, Scheme, N, Slots, Levels, T, Dist, Stop string
	Rest                                        string // further keys, as in the name
}

// String writes the key as the name of its benchmark.
func (k Key) String() string {
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
		part := string(p[1:])
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "scheme":
			k.Scheme = value
		case "n":
			k.N = value
		case "M":
			k.Slots = value
		case "m":
			k.Levels = value
		case "T":
			k.T = value
		case "dist":
			k.Dist = value
		case "stop":
			k.Stop = value
		default:
			k.Rest += "/" + part
		}
	}
	return k
}

// Table holds the samples of raw files, in the order of the rounds, and what was
// not measured.
type Table struct {
	Machine map[string]string // the keys at the head of the last file
	Keys    []Key             // in the order of their first sample
	Missing []Missing
	Command string // that measured the last file
	samples map[Key]map[string][]float64
}

// Missing is a cell without a time.
type Missing struct {
	Key  Key
	Why  string
	Fail bool // a run with a wrong outcome, not a cell skipped
}

// Load reads raw files. A line that is none of the format is an error that names
// file and line.
func Load(paths ...string) (*Table, error) {
	t := &Table{Machine: map[string]string{}, samples: map[Key]map[string][]float64{}}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := t.checkLines(path, string(data)); err != nil {
			return nil, err
		}
		if err := t.read(path, strings.NewReader(string(data))); err != nil {
			return nil, err
		}
	}
	if len(t.Keys) == 0 {
		return nil, fmt.Errorf("%s: no results, allowed: files that bench run wrote", strings.Join(paths, ", "))
	}
	return t, nil
}

// checkLines finds what the format's own reader passes over in silence, and
// collects the lines about what was not measured.
func (t *Table) checkLines(path, data string) error {
	number := 0
	for lines := bufio.NewScanner(strings.NewReader(data)); lines.Scan(); {
		number++
		line := lines.Text()
		if why, ok := strings.CutPrefix(line, skippedMark); ok {
			t.miss(why, false)
		} else if why, ok := strings.CutPrefix(line, errorMark); ok {
			t.miss(why, true)
		} else if command, ok := strings.CutPrefix(line, commandMark); ok {
			t.Command = command
		} else if !known(line) {
			return fmt.Errorf("%s:%d: %.60q is not a line of the Go benchmark format, allowed: Benchmark…, Unit…, key: value, # remark", path, number, line)
		}
	}
	return nil
}

func (t *Table) miss(line string, fail bool) {
	name, why, _ := strings.Cut(line, ": ")
	m := Missing{ParseKey(name), why, fail}
	if !slices.Contains(t.Missing, m) {
		t.Missing = append(t.Missing, m)
	}
}

// known reports whether a line can be one of the format's. A benchmark's line
// has a name, a count and at least one value with its unit.
func known(line string) bool {
	switch fields := strings.Fields(line); {
	case len(fields) == 0 || line[0] == '#' || fields[0] == "Unit":
		return true
	case strings.HasPrefix(line, "Benchmark"):
		return len(fields) >= 4 && len(fields)%2 == 0
	case fields[0] == "PASS" || fields[0] == "ok" || fields[0] == "FAIL":
		return true
	default:
		return strings.HasSuffix(fields[0], ":") && line[0] >= 'a' && line[0] <= 'z'
	}
}

func (t *Table) read(path string, from io.Reader) error {
	r := benchfmt.NewReader(from, path)
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			return rec
		case *benchfmt.Result:
			t.add(rec)
		}
	}
	return r.Err()
}

func (t *Table) add(r *benchfmt.Result) {
	for _, c := range r.Config {
		t.Machine[c.Key] = string(c.Value)
	}
	k := ParseKey(string(r.Name))
	if t.samples[k] == nil {
		t.samples[k] = map[string][]float64{}
		t.Keys = append(t.Keys, k)
	}
	for _, v := range r.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" {
			value, unit = v.OrigValue, v.OrigUnit
		}
		t.samples[k][unit] = append(t.samples[k][unit], value)
	}
}

// Samples returns the values of a cell in one unit, as written, by rounds; nil
// if there are none.
func (t *Table) Samples(k Key, unit string) []float64 { return t.samples[k][unit] }

// Estimate is a median and its confidence interval.
type Estimate struct {
	Median, Lo, Hi float64
	N              int // samples
}

// Confidence is that of every interval. A finite one needs 6 samples.
const Confidence = 0.95

// ErrNoSamples says that a cell was not measured.
var ErrNoSamples = errors.New("no samples")

// Median returns the median of a cell in one unit, with the interval that order
// statistics give it.
func (t *Table) Median(k Key, unit string) (Estimate, error) {
	samples := t.Samples(k, unit)
	if len(samples) == 0 {
		return Estimate{}, ErrNoSamples
	}
	return Summarize(samples), nil
}

// Summarize returns the median of samples and its interval.
func Summarize(samples []float64) Estimate {
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(samples), &benchmath.DefaultThresholds), Confidence)
	return Estimate{s.Center, s.Lo, s.Hi, len(samples)}
}

// Ratio returns the median of the ratios of two cells, round by round, which a
// machine's drift does not touch.
func (t *Table) Ratio(a, b Key, unit string) (Estimate, error) {
	over, under := t.Samples(a, unit), t.Samples(b, unit)
	n := min(len(over), len(under))
	if n == 0 {
		return Estimate{}, ErrNoSamples
	}
	ratios := make([]float64, n)
	for i := range ratios {
		ratios[i] = over[i] / under[i]
	}
	return Summarize(ratios), nil
}

package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness/results/units"
)

const maxRounds = 1 << 20 // reserved for each file

// rawFile adds one file to a table.
type rawFile struct {
	*Table
	source *Source
	first  int    // round of the file in the table
	round  int    // of the results that follow; -1: the file has no rounds, so it is the output of go test
	pkg    string // of the results that follow
}

// line reads a line of the Go benchmark format. benchfmt.Reader skips whatever it does not know: the marks, FAIL and
// what is left of a result that something was printed into.
func (f *rawFile) line(line string) error {
	first, rest, _ := strings.Cut(line, " ")
	key, value, isKey := strings.Cut(line, ":")
	isKey = isKey && key != "" && key[0] >= 'a' && key[0] <= 'z' && !strings.ContainsAny(key, " \t") &&
		(value == "" || value[0] == ' ' || value[0] == '\t')
	switch {
	case first == "#":
		return f.remark(rest)
	case strings.HasPrefix(line, "#"), strings.TrimSpace(line) == "", line == "PASS", strings.HasPrefix(line, "ok  \t"):
	case f.pkg != "" && strings.HasPrefix(line, "Benchmark") && !strings.ContainsAny(line, " \t"):
		// go test -v prints a name before it measures
	case strings.HasPrefix(line, "Benchmark"):
		r, err := ParseResult(line)
		if err == nil {
			err = f.result(r, line)
		}
		return err
	case first == "Unit" && strings.Contains(rest, "="):
		unit, properties, _ := strings.Cut(rest, " ")
		f.exact[unit] = f.exact[unit] || slices.Contains(strings.Fields(properties), "assume=exact")
	case isKey && key != "panic":
		return f.key(key, strings.TrimSpace(value))
	default:
		return f.skip(line)
	}
	return nil
}

// skip counts a line of other text, such as a log, in the output of go test, unless a result may be lost with it. A
// file of ours has no other text.
func (f *rawFile) skip(line string) error {
	f.OtherText++
	fields := strings.Fields(line)
	at := max(0, strings.Index(line, "Benchmark"))
	switch _, err := ParseResult(line[at:]); {
	case fields[0] == "FAIL", fields[0] == "---" && len(fields) > 1 && fields[1] == "FAIL:",
		strings.HasPrefix(line, "panic:"), strings.HasPrefix(line, "fatal error:"): // a test's program prints no FAIL then
		return fmt.Errorf("%.60q: go test failed (measure again what failed, or take its results out)", line)
	case f.round >= 0, fields[0] == "Unit":
		return fmt.Errorf("%.60q is not a line of the Go benchmark format (use Benchmark…, Unit…, key: value or # remark)",
			line)
	case at > 0 && err == nil:
		return fmt.Errorf("%.60q has a result after other text (put it on a line of its own)", line)
	}
	return nil
}

func (f *rawFile) remark(line string) (err error) {
	mark, text, _ := strings.Cut(line, " ")
	switch mark {
	case skippedMark, errorMark:
		head, why, _ := strings.Cut(text, ": ")
		name, kind, ok := strings.Cut(head, " ")
		if fail := mark == errorMark; ok == fail {
			return fmt.Errorf("invalid remark %.60q (use # %s NAME KIND: reason, or # %s NAME: reason; "+
				"files from before a change of this format need the code of then)", line,
				skippedMark, errorMark)
		} else if m := (Missing{ParseKey(name), Reason{ReasonKind(kind), why}, fail}); !slices.Contains(f.Missing, m) {
			f.Missing = append(f.Missing, m)
		}
	case argvMark, resumedMark:
		return f.command(mark, text)
	case roundMark:
		f.round, err = f.number(text)
		f.source.begun = max(f.source.begun, f.round+1)
	case roundsMark:
		f.source.rounds, err = f.number(text)
	case finishedMark:
		f.source.finished = true
	case streamMark:
		workload, hash, _ := strings.Cut(text, " ")
		if known, ok := f.streams[workload]; ok && known != hash {
			return fmt.Errorf("stream %s has hash %s here and %s before (results of different operations cannot be "+
				"pooled)", workload, hash, known)
		}
		f.streams[workload] = hash
	}
	return err
}

// number parses a round, or a number of rounds.
func (f *rawFile) number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= maxRounds {
		err = fmt.Errorf("invalid round %q (use 0 to %d)", text, maxRounds-1)
	}
	return n, err
}

func (f *rawFile) command(mark, text string) error {
	var args []string
	if err := json.Unmarshal([]byte(text), &args); err != nil {
		return fmt.Errorf("invalid arguments %.60q (use a JSON array of strings, as in [\"run\",\"--rounds=6\"])", text)
	}
	if mark == argvMark && f.source.Args != nil {
		return errors.New("a second command: files were joined (name each of them instead)")
	}
	f.source.Command, f.source.Args, f.source.finished = CommandText(args...), args, false
	return nil
}

func (f *rawFile) result(r Result, line string) error {
	k := parseName(r.Name)
	if f.round < 0 {
		k.Pkg, k.Procs = f.pkg, cmp.Or(k.Procs, "1") // go test leaves 1 out
	} else {
		k.Procs = ""
	}
	one := f.rows[k]
	if one == nil {
		c, err := k.Cell()
		if ours := !slices.Contains([]string{k.Scheme, k.N, k.Slots, k.T, k.Dist, k.Stop}, ""); err != nil && ours {
			return fmt.Errorf("%s: %w", r.Name, err) // in names of others the same keys may have other values
		}
		one = &row{cell: c, full: k, source: len(f.Sources) - 1, samples: map[string]map[int]float64{}}
		f.rows[k], f.Keys = one, append(f.Keys, k)
	}
	other := f.Sources[one.source]
	if f.source.code != other.code && f.source.code != "" && other.code != "" && k.Op != units.SpinName {
		return fmt.Errorf("%s: code is %s here and %s in %s (results of different code cannot be pooled)", k, f.source.code,
			other.code, other.Path)
	}
	one.source = len(f.Sources) - 1
	f.source.lines = append(f.source.lines, line)
	all := one.samples
	for _, v := range r.Values {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return fmt.Errorf("invalid value %v %s (measurements are finite)", v.Value, v.Unit)
		}
		if v.Unit == units.NsPerOp && v.Value <= 0 { // a count or an allocation may be 0
			return fmt.Errorf("invalid time %v %s (times are above 0)", v.Value, v.Unit)
		}
		if all[v.Unit] == nil {
			all[v.Unit] = map[int]float64{}
		}
		byRound, round := all[v.Unit], f.round
		if round < 0 {
			round = len(byRound)
		}
		if _, ok := byRound[f.first+round]; ok {
			return fmt.Errorf("duplicate: %s has a second value of %s in round %d", r.Name, v.Unit, round)
		}
		byRound[f.first+round] = v.Value
	}
	return nil
}

// key adds a key of the file's head. Times from different processors or compilers have different distributions, and
// times of different code in one file are of nothing, so they are refused; of other keys all values are kept.
func (f *rawFile) key(key, value string) error {
	if key == codeKey {
		if was := f.source.code; was != "" && was != value {
			return fmt.Errorf("code is %s here and %s before (results of different code cannot be pooled)", value, was)
		}
		f.source.code = value
	}
	if key == "pkg" {
		f.pkg = value
	}
	const separator = "; "
	known, has := f.Machine[key]
	switch {
	case !has:
		f.Machine[key] = value
	case slices.Contains(strings.Split(known, separator), value):
	case slices.Contains([]string{"cpu", "cpuid", "go", "goarch", procsKey}, key):
		return fmt.Errorf("%s is %s here and %s before (results of different machines or compilers cannot be pooled)",
			key, value, known)
	case len(known) < 1000: // more is a log that looks like keys
		f.Machine[key] += separator + value
	}
	return nil
}

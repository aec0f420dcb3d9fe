package workload

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// Dist is a distribution of durations. Its zero value means never.
type Durations struct {
	text     string
	quantile func(p float64) float64 // seconds, for 0 < p < 1
}

// ErrDist is wrapped by the errors of ParseDist.
var ErrDurations = errors.New("bad distribution")

const (
	shortest = 1e-9                 // seconds
	longest  = 1e4 * 365.25 * 86400 // seconds: 10,000 years
)

// forms say how a distribution is written.
const forms = `const:30s, uniform:1s,5s, exp:30s (mean), lognormal:20ms,60ms (p50, p75), pareto:1s,1.5 (least, exponent), mix:0.9*const:30s+0.1*exp:5m, quantiles:FILE`

// String returns the distribution as ParseDist reads it, "never" for the zero value.
func (d Durations) String() string {
	if d.quantile == nil {
		return "never"
	}
	return d.text
}

// Never reports whether it is the zero value.
func (d Durations) Never() bool { return d.quantile == nil }

// Quantile returns the duration, in seconds, that a share p of all are below, for p
// above 0 and below 1.
func (d Durations) Quantile(p float64) float64 { return min(max(d.quantile(p), shortest), longest) }

// ParseDist reads a distribution:
//
//	const:30s                     always 30 s
//	every:30s                     the same, of restarts
//	uniform:1s,5s                 from 1 s to 5 s
//	exp:30s                       exponential of mean 30 s
//	lognormal:20ms,60ms           half are below 20 ms, three quarters below 60 ms
//	pareto:1s,1.5                 P(J > x) = (1s/x)^1.5
//	mix:0.9*const:30s+0.1*exp:5m  a tenth of another one
//	quantiles:FILE                lines of a percentage and a duration, as in "99 2.5s"
func ParseDurations(text string) (Durations, error) {
	d, err := parseDurations(text)
	if err != nil {
		return Durations{}, fmt.Errorf("%w %q: %w", ErrDurations, text, err)
	}
	d.text = text
	return d, nil
}

func parseDurations(text string) (Durations, error) {
	name, rest, ok := strings.Cut(text, ":")
	if !ok {
		return Durations{}, fmt.Errorf("allowed %s", forms)
	}
	switch name {
	case "const", "every":
		return parsed(rest, 1, func(s []float64) Durations { return quantiles(func(float64) float64 { return s[0] }) })
	case "uniform":
		return parsed(rest, 2, func(s []float64) Durations { return quantiles(distuv.Uniform{Min: s[0], Max: s[1]}.Quantile) })
	case "exp":
		return parsed(rest, 1, func(s []float64) Durations { return quantiles(distuv.Exponential{Rate: 1 / s[0]}.Quantile) })
	case "lognormal":
		return parsed(rest, 2, func(s []float64) Durations {
			sigma := math.Log(s[1]/s[0]) / distuv.UnitNormal.Quantile(0.75)
			return quantiles(distuv.LogNormal{Mu: math.Log(s[0]), Sigma: sigma}.Quantile)
		})
	case "pareto":
		return parsePareto(rest)
	case "mix":
		return parseMix(rest)
	case "quantiles":
		return readQuantiles(rest)
	}
	return Durations{}, fmt.Errorf("allowed %s", forms)
}

func quantiles(q func(float64) float64) Durations { return Durations{quantile: q} }

// parsed reads so many durations, which ascend, and makes a distribution of them.
func parsed(text string, n int, dist func(seconds []float64) Durations) (Durations, error) {
	parts := strings.Split(text, ",")
	if len(parts) != n {
		return Durations{}, fmt.Errorf("%d durations, want %d", len(parts), n)
	}
	seconds := make([]float64, n)
	for i, part := range parts {
		s, err := parseDuration(part)
		if err != nil {
			return Durations{}, err
		}
		if seconds[i] = s; i > 0 && s <= seconds[i-1] {
			return Durations{}, fmt.Errorf("%s after %s, want a longer one", part, parts[i-1])
		}
	}
	return dist(seconds), nil
}

// ParseSeconds reads a duration as time.ParseDuration does, and days and years, as in 5d
// and 1y.
func ParseSeconds(text string) (float64, error) { return parseDuration(text) }

func parseDuration(text string) (float64, error) {
	text = strings.TrimSpace(text)
	for _, unit := range []struct {
		suffix  string
		seconds float64
	}{{"d", 86400}, {"y", 365.25 * 86400}} {
		if digits, ok := strings.CutSuffix(text, unit.suffix); ok {
			if n, err := strconv.ParseFloat(digits, 64); err == nil && n > 0 && n*unit.seconds <= longest {
				return n * unit.seconds, nil
			}
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q, allowed a duration above 0 such as 1.5s, 100ms, 2h, 5d", text)
	}
	return d.Seconds(), nil
}

func parsePareto(text string) (Durations, error) {
	least, exponent, ok := strings.Cut(text, ",")
	if !ok {
		return Durations{}, errors.New("want the least duration and the exponent, as in 1s,1.5")
	}
	from, err := parseDuration(least)
	if err != nil {
		return Durations{}, err
	}
	alpha, err := strconv.ParseFloat(exponent, 64)
	if err != nil || alpha <= 1 || alpha > 100 {
		return Durations{}, fmt.Errorf("exponent %q, allowed above 1, so that there is a mean, to 100", exponent)
	}
	return quantiles(distuv.Pareto{Xm: from, Alpha: alpha}.Quantile), nil
}

// parseMix reads shares and distributions. Its quantiles are those of the parts one
// after the other, which is what drawing from it needs; they do not ascend.
func parseMix(text string) (Durations, error) {
	var parts []Durations
	var shares []float64
	sum := 0.0
	for _, part := range splitMix(text) {
		share, dist, ok := strings.Cut(part, "*")
		w, err := strconv.ParseFloat(share, 64)
		if !ok || err != nil || w <= 0 || w > 1 {
			return Durations{}, fmt.Errorf("%q, allowed a share above 0, to 1, as in 0.9*const:30s", part)
		}
		d, err := parseDurations(dist)
		if err != nil {
			return Durations{}, fmt.Errorf("%q: %w", dist, err)
		}
		parts, shares = append(parts, d), append(shares, w)
		sum += w
	}
	if math.Abs(sum-1) > 1e-9 {
		return Durations{}, fmt.Errorf("shares of %v in all, want 1", sum)
	}
	return quantiles(func(p float64) float64 {
		for i, w := range shares[:len(shares)-1] {
			if p < w {
				return parts[i].Quantile(p / w)
			}
			p -= w
		}
		last := len(parts) - 1
		return parts[last].Quantile(min(p/shares[last], 1-1e-12))
	}), nil
}

// splitMix divides at the plus signs that are not part of a number such as 1e+3.
func splitMix(text string) (parts []string) {
	for {
		at := strings.Index(text, "+")
		if at < 0 {
			return append(parts, text)
		}
		parts, text = append(parts, text[:at]), text[at+1:]
	}
}

// readQuantiles reads a file of percentages and durations, and joins them by straight
// lines.
func readQuantiles(path string) (Durations, error) {
	f, err := os.Open(path)
	if err != nil {
		return Durations{}, err
	}
	defer f.Close()
	var at, seconds []float64
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		columns := strings.Fields(lines.Text())
		if len(columns) == 0 || columns[0][0] == '#' {
			continue
		}
		if len(columns) != 2 {
			return Durations{}, fmt.Errorf("line %d: %d columns, want a percentage and a duration", n, len(columns))
		}
		p, err := strconv.ParseFloat(strings.TrimSuffix(columns[0], "%"), 64)
		if err != nil || p < 0 || p > 100 {
			return Durations{}, fmt.Errorf("line %d: %q, allowed a percentage from 0 to 100", n, columns[0])
		}
		s, err := parseDuration(columns[1])
		if err != nil {
			return Durations{}, fmt.Errorf("line %d: %w", n, err)
		}
		if k := len(at); k > 0 && (p/100 <= at[k-1] || s < seconds[k-1]) {
			return Durations{}, fmt.Errorf("line %d: %s after %v %%, want percentages that ascend, and durations that do not descend", n, lines.Text(), 100*at[k-1])
		}
		at, seconds = append(at, p/100), append(seconds, s)
	}
	if err := lines.Err(); err != nil {
		return Durations{}, err
	}
	if len(at) < 2 {
		return Durations{}, fmt.Errorf("%d quantiles, want 2 or more", len(at))
	}
	return quantiles(func(p float64) float64 { return interpolate(at, seconds, p) }), nil
}

// between joins points by straight lines; beyond the ends it is flat.
func interpolate(at, values []float64, p float64) float64 {
	i, _ := slices.BinarySearch(at, p)
	if i == 0 {
		return values[0]
	}
	if i == len(at) {
		return values[i-1]
	}
	return values[i-1] + (values[i]-values[i-1])*(p-at[i-1])/(at[i]-at[i-1])
}

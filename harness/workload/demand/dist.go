package demand

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"timerlab/harness/workload"
)

// Dist is a distribution of durations. The zero value has none.
//
// Quantiles are floating point, from gonum: the streams of a Preset may differ from processor to processor.
type Dist struct {
	text  string // as UnmarshalText reads it
	parts []part // of a mixture; else one
}

// part is a part of a mixture. All shares sum to 1.
type part struct {
	share    float64
	quantile quantile
}

// quantile returns the duration in seconds that a share p of all stay below, 0 < p < 1.
type quantile func(p float64) float64

const (
	shortest = 1e-9                 // seconds
	longest  = 1e4 * 365.25 * 86400 // seconds: 10,000 years
)

// at returns the quantile of p, 0 < p < 1, in seconds, kept within shortest and longest.
func (q part) at(p float64) float64 { return min(max(q.quantile(p), shortest), longest) }

// UnmarshalText reads a distribution:
//
//	exp:30s                       the shape exp with a mean of 30 s; likewise const, erlang, bimodal, loguniform
//	30s, every:30s                the same as const:30s
//	uniform:1s,5s                 from 1 s to 5 s
//	lognormal:20ms,60ms           half are below 20 ms, three quarters below 60 ms
//	pareto:1s,1.5                 P(J > x) = (1s/x)^1.5
//	mix:0.9*const:30s+0.1*exp:5m  a tenth of another one; shares such as 1/3 are exact
//
// The error wraps workload.ErrDist.
func (d *Dist) UnmarshalText(text []byte) (err error) {
	*d = Dist{text: string(text)}
	if args, ok := strings.CutPrefix(d.text, "mix:"); ok {
		d.parts, err = parseMix(args)
	} else {
		d.parts = []part{{share: 1}}
		d.parts[0].quantile, err = parseQuantile(d.text)
	}
	if err != nil {
		*d = Dist{}
		return fmt.Errorf("%w %q: %w", workload.ErrDist, text, err)
	}
	return nil
}

// String returns the text that UnmarshalText reads.
func (d Dist) String() string { return d.text }

var errForm = errors.New("use 30s, uniform:1s,5s, exp:30s (mean), lognormal:20ms,60ms (p50, p75), pareto:1s,1.5 " +
	"(least, exponent), mix:0.9*const:30s+0.1*exp:5m")

// parseQuantile reads a distribution that is no mixture.
func parseQuantile(text string) (quantile, error) {
	name, args, ok := strings.Cut(text, ":")
	if !ok {
		_, err := ParseSeconds(text)
		switch {
		case err != nil && strings.ContainsAny(text[:min(1, len(text))], "+-.0123456789"):
			return nil, err
		case err != nil:
			return nil, errForm
		}
		name, args = "const", text
	}
	switch name {
	case "uniform", "lognormal":
		s, err := parseAscending(args, 2)
		if err != nil {
			return nil, err
		}
		if name == "uniform" {
			return distuv.Uniform{Min: s[0], Max: s[1]}.Quantile, nil
		}
		sigma := math.Log(s[1]/s[0]) / distuv.UnitNormal.Quantile(0.75)
		return distuv.LogNormal{Mu: math.Log(s[0]), Sigma: sigma}.Quantile, nil
	case "pareto":
		least, exponent, _ := strings.Cut(args, ",")
		from, err := ParseSeconds(least)
		if err != nil {
			return nil, err
		}
		alpha, err := strconv.ParseFloat(exponent, 64)
		if err != nil || !(alpha > 1 && alpha <= 100) {
			return nil, fmt.Errorf("invalid exponent %q (use a number above 1, so that there is a mean, to 100, "+
				"as in pareto:1s,1.5)", exponent)
		}
		return distuv.Pareto{Xm: from, Alpha: alpha}.Quantile, nil
	case "every":
		name = "const"
	}
	shape, err := workload.Parse[workload.Dist](name)
	if err != nil {
		return nil, errForm
	}
	mean, err := parseAscending(args, 1)
	if err != nil {
		return nil, err
	}
	if name == "exp" { // without the end of the table's tail
		return distuv.Exponential{Rate: 1 / mean[0]}.Quantile, nil
	}
	unit := shape.Quantile()
	return func(p float64) float64 { return mean[0] * unit(p) }, nil
}

// parseAscending reads n durations, in seconds, each longer than the one before.
func parseAscending(text string, n int) ([]float64, error) {
	parts := strings.Split(text, ",")
	if len(parts) != n {
		return nil, fmt.Errorf("%d durations (use %d)", len(parts), n)
	}
	seconds := make([]float64, n)
	for i, part := range parts {
		s, err := ParseSeconds(part)
		if err != nil {
			return nil, err
		}
		if seconds[i] = s; i > 0 && s <= seconds[i-1] {
			return nil, fmt.Errorf("%s after %s (use durations that increase)", part, parts[i-1])
		}
	}
	return seconds, nil
}

// ParseSeconds reads a duration above 0 as time.ParseDuration does, and days and years, as in 5d and 1y.
func ParseSeconds(text string) (float64, error) {
	text = strings.TrimSpace(text)
	for suffix, seconds := range map[string]float64{"d": 86400, "y": 365.25 * 86400} {
		if digits, ok := strings.CutSuffix(text, suffix); ok {
			if n, err := strconv.ParseFloat(digits, 64); err == nil && n > 0 && n*seconds <= longest {
				return n * seconds, nil
			}
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("invalid duration %q (use a duration above 0 and up to 10000y, such as 1.5s, 100ms, 2h or 5d)", text)
	}
	return d.Seconds(), nil
}

// parseMix reads shares and distributions.
func parseMix(text string) (parts []part, err error) {
	sum := 0.0
	for piece := range strings.SplitSeq(text, "+") {
		share, dist, ok := strings.Cut(piece, "*")
		w, err := parseShare(share)
		if !ok || err != nil || w <= 0 || w > 1 {
			return nil, fmt.Errorf("%q has no share (use one above 0 and up to 1, as in 0.9*const:30s)", piece)
		}
		q, err := parseQuantile(dist)
		if err != nil {
			return nil, fmt.Errorf("part %q: %w", dist, err)
		}
		parts = append(parts, part{w, q})
		sum += w
	}
	if math.Abs(sum-1) > 1e-9 {
		return nil, fmt.Errorf("the shares sum to %v (they must sum to 1)", sum)
	}
	return parts, nil
}

// parseShare reads a number such as 0.25, or a ratio such as 1/18.
func parseShare(text string) (float64, error) {
	numerator, denominator, ratio := strings.Cut(text, "/")
	a, err := strconv.ParseFloat(numerator, 64)
	if err != nil || !ratio {
		return a, err
	}
	b, err := strconv.ParseFloat(denominator, 64)
	return a / b, err
}

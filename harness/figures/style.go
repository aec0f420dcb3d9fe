package figures

import (
	"cmp"
	"hash/fnv"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A style is how one scheme, or anything else that is compared, looks in every figure.
type style struct {
	name   string
	number int // the paper's, 0 for none
	color  color.RGBA
	dash   []vg.Length
	marker marker
}

// styles is the one table of looks. The colours are those of Paul Tol's "bright" scheme, which
// people with any form of colour blindness can tell apart, and black; its yellow, cyan and grey are
// darker here, to be seen as lines on white. No two rows share a colour, a dash or a marker. 6 and 7,
// which the suite compares most, differ most.
var styles = []style{
	{"null", 0, rgb(0x999999), []vg.Length{2, 2.5}, marker{plus, open}},
	{"unordered", 1, rgb(0x000000), []vg.Length{1, 1.5}, marker{square, solid}},
	{"ordered", 2, rgb(0x997700), []vg.Length{8, 2, 1.5, 2}, marker{triangle, solid}},
	{"tree", 3, rgb(0x228833), []vg.Length{3, 1.5}, marker{cross, open}},
	{"simplewheel", 4, rgb(0x2299BB), []vg.Length{10, 3}, marker{square, hollow}},
	{"hashsorted", 5, rgb(0xAA3377), []vg.Length{6, 1.5, 1.5, 1.5, 1.5, 1.5}, marker{triangle, hollow}},
	{"hashunsorted", 6, rgb(0x4477AA), nil, marker{circle, solid}},
	{"hierarchical", 7, rgb(0xEE6677), []vg.Length{5, 2.5}, marker{diamond, hollow}},
}

// others are the looks of all that the table does not name: an eighth scheme, a timer service, a
// distribution. None looks like a scheme of the paper.
var others = []style{
	{color: rgb(0x332288), dash: []vg.Length{9, 2}, marker: marker{circle, hollow}},
	{color: rgb(0xDD6622), dash: []vg.Length{12, 3, 3, 3}, marker: marker{diamond, solid}},
	{color: rgb(0x009988), dash: []vg.Length{6, 4}, marker: marker{fall, solid}},
	{color: rgb(0x882255), dash: []vg.Length{4, 1.5, 1, 1.5}, marker: marker{fall, hollow}},
	{color: rgb(0x666633), dash: []vg.Length{14, 2, 2, 2, 2, 2}, marker: marker{house, solid}},
	{color: rgb(0x555555), dash: []vg.Length{4, 4}, marker: marker{house, hollow}},
}

func rgb(v uint32) color.RGBA {
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

// styleOf returns the look that belongs to a name. A variant ("ordered-rear") has its base's colour, a
// finer dash and the marker turned inside out; a name that the table does not have always gets the
// same one of the other looks.
func styleOf(name string) style {
	base, _, variant := strings.Cut(name, "-")
	for _, s := range styles {
		if s.name != base {
			continue
		}
		if variant {
			s.name, s.dash, s.marker = name, []vg.Length{2, 1, 1, 1}, s.marker.inverse()
		}
		return s
	}
	hash := fnv.New32a()
	hash.Write([]byte(name))
	s := others[hash.Sum32()%uint32(len(others))]
	s.name = name
	return s
}

// label is the scheme's name as figures write it, led by the paper's number.
func (s style) label() string {
	if s.number == 0 {
		return s.name
	}
	return strconv.Itoa(s.number) + " " + s.name
}

// stylesOf chooses the look of each series of one figure: its own, but a colour, dash or marker that
// another has gives way to a free one as long as there are any. Schemes of the paper choose first, then
// their variants: a scheme looks as it does everywhere, whatever comes before it.
func stylesOf(series []Series) []style {
	order := make([]int, len(series))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(rank(series[a].styleName()), rank(series[b].styleName()))
	})
	out := make([]style, len(series))
	var colors, dashes, markers []style // that are taken
	for _, i := range order {
		s := styleOf(series[i].styleName())
		same := slices.IndexFunc(colors, func(c style) bool { return c.name == s.name })
		switch {
		case same >= 0:
			s = colors[same]
		case rank(s.name) == 2:
			start := slices.IndexFunc(others, func(o style) bool { return o.color == s.color })
			sameColor := func(a, b style) bool { return a.color == b.color }
			look := firstFree(slices.Concat(others[start:], others), colors, sameColor)
			s.color, s.dash, s.marker = look.color, look.dash, look.marker
		}
		colors = append(colors, s)
		looks := slices.Concat([]style{s}, others, styles)
		if series[i].Kind.lined() {
			s.dash = firstFree(looks, dashes, func(a, b style) bool { return slices.Equal(a.dash, b.dash) }).dash
			dashes = append(dashes, s)
		}
		if series[i].Kind.marked() {
			s.marker = firstFree(looks, markers, func(a, b style) bool { return a.marker == b.marker }).marker
			markers = append(markers, s)
		}
		out[i] = s
	}
	return out
}

// rank puts the schemes of the paper first, then their variants, then all else.
func rank(name string) int {
	base, _, variant := strings.Cut(name, "-")
	switch {
	case !slices.ContainsFunc(styles, func(s style) bool { return s.name == base }):
		return 2
	case variant:
		return 1
	}
	return 0
}

// firstFree returns the first of the looks that is the same as none that is taken, or the very first.
func firstFree(looks, taken []style, same func(a, b style) bool) style {
	for _, look := range looks {
		if !slices.ContainsFunc(taken, func(t style) bool { return same(look, t) }) {
			return look
		}
	}
	return looks[0]
}

func (s style) line() draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: 1.3, Dashes: s.dash}
}

// bar is the line of an interval bar: never dashed, a dash could hide its end.
func (s style) bar() draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: 0.8}
}

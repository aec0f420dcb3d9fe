package figures

import (
	"hash/fnv"
	"image/color"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	ink   = rgb(0x222222)
	faint = rgb(0x555555) // captions and axes
	white = rgb(0xFFFFFF)

	hairLine = draw.LineStyle{Color: rgb(0xE2E2E2), Width: 0.5} // of the grid
)

func rgb(v uint32) color.RGBA {
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

// A look is the colour, dash pattern and marker of a series.
type look struct {
	color  uint32
	dashes []vg.Length
	marker draw.GlyphDrawer
}

// looks is the one table of looks, by what is drawn and not by its place in a figure: a scheme, a number of
// levels or a service looks the same on every machine, whatever else was measured there. The colours of the
// seven come from Paul Tol's "bright" scheme, which people with any form of colour blindness can
// distinguish, and black; its yellow, cyan and grey are darker here, to be seen as lines on white. 6 and 7, which
// the suite compares most, differ most. Variants have a shade of their base's colour.
var looks = map[string]look{
	"null":         {0x999999, dash(2, 2.5), plus},
	"unordered":    {0x000000, dash(1, 1.5), box},
	"ordered":      {0x997700, dash(8, 2, 1.5, 2), pyramid},
	"tree":         {0x228833, dash(3, 1.5), cross},
	"simplewheel":  {0x2299BB, dash(10, 3), square},
	"hashsorted":   {0xAA3377, dash(6, 1.5, 1.5, 1.5, 1.5, 1.5), triangle},
	"hashunsorted": {0x4477AA, nil, disc},
	"hierarchical": {0xEE6677, dash(5, 2.5), diamond},

	"ordered-rear":           {0x664400, dash(2, 1, 1, 1), triangle},
	"ordered-durations":      {0xBB9933, dash(4, 4), disc},
	"tree-4ary":              {0x88AA22, dash(12, 2), ring},
	"tree-bst":               {0x55AA77, dash(12, 3, 3, 3), square},
	"tree-lazy":              {0x115522, dash(4, 1.5, 1, 1.5), pyramid},
	"simplewheel-overflow":   {0x116688, dash(4, 4), box},
	"simplewheel-tegas":      {0x1144AA, dash(2, 1, 1, 1), disc},
	"hashunsorted-absolute":  {0x335577, dash(9, 2), box},
	"hashunsorted-lazy":      {0x6699CC, dash(4, 1.5, 1, 1.5), square},
	"hashunsorted-chunked":   {0x223377, dash(2, 1, 1, 1), triangle},
	"hierarchical-interval":  {0xBB5500, dash(12, 3, 3, 3), box},
	"hierarchical-nomigrate": {0xCC3311, dash(9, 2), disc},
	"hierarchical-once":      {0x882222, dash(4, 1.5, 1, 1.5), pyramid},
	"hierarchical-chunked":   {0x993344, dash(14, 2, 2, 2, 2, 2), square},
	"hierarchical-ahead":     {0x771155, dash(6, 4), cross},

	"hierarchical-ahead-chunked": {0xBB4499, dash(3, 1.5), ring},

	"right":     {0x4477AA, nil, disc},
	"wrong":     {0xCC3311, nil, cross},
	"undecided": {0xAAAAAA, nil, ring},

	"m = 1": others[3], "m = 2": others[1], "m = 3": others[2], "m = 4": others[0], "m = 5": others[4],
}

// others are the looks of all that is no scheme. A name that the table does not have, such as an eighth scheme's,
// takes one of them by its hash, and the next one if another series of the figure has that.
var others = []look{
	{0x332288, dash(9, 2), ring},
	{0xDD6622, dash(12, 3, 3, 3), box},
	{0x009988, dash(6, 4), pyramid},
	{0x882255, dash(4, 1.5, 1, 1.5), triangle},
	{0x777722, dash(14, 2, 2, 2, 2, 2), disc},
	{0x555555, dash(4, 4), square},
	{0x0077CC, dash(2, 1, 1, 1), cross},
}

// paper lists the schemes by the number that the paper gives them.
var paper = []string{"", "unordered", "ordered", "tree", "simplewheel", "hashsorted", "hashunsorted", "hierarchical"}

// paperNumber returns the number of a scheme or of a variant's base, 0 if the paper has none.
func paperNumber(scheme string) int {
	base, _, _ := strings.Cut(scheme, "-")
	return max(0, slices.Index(paper, base))
}

func dash(lengths ...vg.Length) []vg.Length { return lengths }

// An identity makes lines in two panels the same line: the key of the look, and the name in the legend.
type identity struct{ key, label string }

// looksOf chooses the looks of the series of one figure: first from the table, then for unknown keys what
// these leave. A second series of one key has the same colour, with a dash and a marker that no other has.
func looksOf(ids []identity) map[identity]look {
	all, byKey := map[identity]look{}, map[string]look{}
	for _, fromTable := range []bool{true, false} {
		for _, id := range ids {
			l, known := looks[id.key]
			if known != fromTable {
				continue
			}
			first, second := byKey[id.key]
			if !known || second {
				l = unlike(id.key, second, slices.Collect(maps.Values(all)))
			}
			if second {
				l.color = first.color
			}
			byKey[id.key], all[id] = l, l
		}
	}
	return all
}

// unlike returns the first look of others, from the place that the key's hash names, whose dashes no taken look has.
// If marker is true, no taken look has its marker either.
func unlike(key string, marker bool, taken []look) look {
	hash := fnv.New32a()
	hash.Write([]byte(key))
	start := int(hash.Sum32() % uint32(len(others)))
	free := slices.IndexFunc(slices.Concat(others[start:], others[:start]), func(l look) bool {
		same := func(t look) bool { return marker && t.marker == l.marker || slices.Equal(t.dashes, l.dashes) }
		return !slices.ContainsFunc(taken, same)
	})
	return others[(start+max(0, free))%len(others)]
}

func (l look) line(through plotter.XYs) *plotter.Line {
	return &plotter.Line{XYs: through, LineStyle: draw.LineStyle{Color: rgb(l.color), Width: 1.3, Dashes: l.dashes}}
}

func (l look) glyph(m draw.GlyphDrawer, radius vg.Length) *plotter.Scatter {
	return &plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: rgb(l.color), Radius: radius, Shape: m}}
}

var (
	disc, box, pyramid     = draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}
	ring, square, triangle = hollow{disc}, hollow{box}, hollow{pyramid}

	plus  = &strokes{{X: -1.2}, {X: 1.2}, {Y: -1.2}, {Y: 1.2}}
	cross = &strokes{{X: -1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}}
	// A diamond is visible around a disc, 7 around 6.
	diamond = &strokes{{X: -1.5}, {Y: 1.5}, {Y: 1.5}, {X: 1.5}, {X: 1.5}, {Y: -1.5}, {Y: -1.5}, {X: -1.5}}
	level   = &strokes{{X: -2.4}, {X: 2.4}} // a prediction without a line
)

// A hollow marker is white inside, so that lines do not show through. The library's are hairlines.
type hollow struct{ draw.GlyphDrawer }

// DrawGlyph implements gonum's draw.GlyphDrawer.
func (m hollow) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	m.GlyphDrawer.DrawGlyph(c, style, at)
	c.SetColor(white)
	style.Radius *= 0.6
	m.GlyphDrawer.DrawGlyph(c, style, at)
}

// Strokes are a marker of lines, each a pair of points in units of the marker's radius.
type strokes []vg.Point

// DrawGlyph implements gonum's draw.GlyphDrawer.
func (m *strokes) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	var p vg.Path
	for pair := range slices.Chunk(*m, 2) {
		p.Move(at.Add(pair[0].Scale(style.Radius)))
		p.Line(at.Add(pair[1].Scale(style.Radius)))
	}
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: 1.2})
	c.Stroke(p)
}

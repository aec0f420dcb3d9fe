// Package figures draws what the suite measured: an XY figure, of costs, counts and predictions
// against a setting, in one plot or in panels; and a WinnerMap of schemes 6 and 7 over T and M.
//
// A figure is a struct of plain numbers. Save draws it in memory and then replaces the file in one
// step, so that a figure on disk is always complete:
//
//	err := figures.Save("results/x/figures/start.svg", figures.XY{…})
//
// The same figure gives the same bytes. A value that has no place on its axis (zero, negative or not
// finite on a logarithmic one) is left out, counted and mentioned in the caption.
//
// # Reading a figure
//
// Every scheme has one colour, one dash pattern and one marker, the same in all figures (see
// style.go); dash and marker alone tell the schemes apart on a grey print. Times are in
// nanoseconds, T is in ticks, M in slots. SI suffixes are decimal: 1k is 1000, 1 kB is 1000 bytes.
//
// # Text
//
// SVG files name Liberation Sans and its metric twin Arial rather than embed a font. A viewer that has
// neither takes another font, so every text has room for DejaVu Sans, the widest of the common ones
// (see text.go). PNG files are drawn with Liberation Sans. It has µ, ×, ·, –, ≤, ≥, ≈, → and the common
// Greek letters but no raised digits other than ¹ ² ³: write 10k, not a power of ten.
//
// # What gonum/plot does and what it does not
//
// Canvases, fonts, scales and clipping are gonum/plot's. Its ticks carry no SI suffixes, its legend
// covers data, its glyphs and error bars are a path each, which triples an SVG, and its axes cannot
// share a layout between panels: those are drawn here.
package figures

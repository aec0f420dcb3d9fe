// Package figures draws what the suite measured: cost against the number of timers, scheme 6
// against scheme 7 over the mean lifetime T, the map of their winners over T and M, and for every
// other finding lines of what was predicted and markers of what was counted.
//
// A figure is a struct of plain numbers. Save draws it into memory and only then puts the file in
// its place, so that a figure on disk is always a whole one:
//
//	dropped, err := figures.Save("results/x/figures/start.svg", figures.Curves{…})
//
// The same figure gives the same bytes. A value that a logarithmic axis has no place for (zero,
// negative, not finite) is left out, counted in Dropped and mentioned in the caption.
//
// # Reading a figure
//
// Every scheme has one colour, one dash pattern and one marker, the same in all figures (see
// style.go); dash and marker alone tell the schemes apart on a grey print. Times are in
// nanoseconds, T is in ticks, M in slots. SI suffixes are decimal: 1k is 1000, 1 kB is 1000 bytes.
//
// # Text
//
// SVG files name Liberation Sans and its metric twin Arial rather than embed a font; PNG files are
// drawn with Liberation Sans. It has µ, ×, ·, –, ≤, ≥, ≈, → and the common Greek letters but no raised
// digits other than ¹ ² ³: write 10k, not a power of ten.
package figures

// Package results holds measured rows: it writes and reads raw files in the Go
// benchmark format, names cells, and returns medians, intervals and ratios of
// what the files hold.
//
// A Result is a line, which Raw writes. Load reads files into a Table, by Key, unit and round,
// and refuses what must not be pooled.
package results

// Package results holds measured rows: it writes and reads raw files in the Go
// benchmark format, names cells, and returns medians, intervals and ratios of
// what the files hold.
package results

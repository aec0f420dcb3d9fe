package results

import "timerlab/harness/workload"

// Text forms of before, for callers that do not have the types of package workload yet.

// FormatCount is workload.Count's String.
func FormatCount(n uint64) string { return workload.Count(n).String() }

// ParseCount is workload.Count's UnmarshalText.
func ParseCount(text string) (uint64, error) {
	n, err := workload.Parse[workload.Count](text)
	return uint64(n), err
}

// Radices is workload.Levels' String.
func Radices(levels []int) string { return workload.Levels(levels).String() }

// ParseRadices is workload.Levels' UnmarshalText.
func ParseRadices(text string) ([]int, error) {
	levels, err := workload.Parse[workload.Levels](text)
	return levels, err
}

// FormatFraction is workload.Stops' String.
func FormatFraction(share, part float64) string {
	return workload.Stops{Share: share, At: part}.String()
}

// ParseFraction is workload.Stops' UnmarshalText.
func ParseFraction(text string) (share, part float64, err error) {
	s, err := workload.Parse[workload.Stops](text)
	return s.Share, s.At, err
}

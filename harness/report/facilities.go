package report

import "timerlab/harness/measure"

// Facilities is the page of timer facilities.
type Facilities struct{ Table *measure.Table }

// Summary is the targets.
func (p Facilities) Summary() string { return "" }

// Wrong returns how many cells had a wrong outcome.
func (p Facilities) Wrong() int { return Contest(p).Wrong() }

// Splice puts the tables between their marks in a file.
func (p Facilities) Splice(path string) error { return nil }

// CanSpliceFacilities returns what keeps Splice from a file.
func CanSpliceFacilities(path string) error { return nil }

// Save writes the page and its figures into a folder.
func (p Facilities) Save(out string) ([]string, error) { return nil, nil }

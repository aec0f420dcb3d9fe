package compare

import (
	"slices"
	"strings"

	"timerlab/harness/results"
)

// File is one raw file, or several that are pooled under one label.
type File struct {
	Label string // as benchstat's .file
	Table *results.Table
}

// Load reads the files that arguments name as benchstat does: a path, or label=path.
// Files with equal labels are pooled.
func Load(args ...string) ([]File, error) {
	var labels []string
	paths := map[string][]string{}
	for _, arg := range args {
		label, path, ok := strings.Cut(arg, "=")
		if !ok {
			label, path = arg, arg
		}
		if !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
		paths[label] = append(paths[label], path)
	}
	var files []File
	for _, label := range labels {
		t, err := results.Load(paths[label]...)
		if err != nil {
			return nil, err
		}
		files = append(files, File{label, t})
	}
	return files, nil
}

// machineKeys are the keys of a file's head without which times are not comparable.
var machineKeys = []string{"goos", "goarch", "cpu", "cpuid", "cores", "caches", "governor", "thp"}

// otherMachine returns the first of the machine's keys in which two tables differ, with
// both values, or "".
func otherMachine(a, b *results.Table) string {
	for _, key := range machineKeys {
		if was, is := a.Machine[key], b.Machine[key]; was != is {
			return key + " is " + orUnknown(was) + " in the base and " + orUnknown(is) + " here"
		}
	}
	return ""
}

func orUnknown(value string) string {
	if value == "" {
		return "not recorded"
	}
	return value
}

// Package godoc turns a package's embedded doc.go into the text that the
// command and the teaching material show, so that neither can drift from the
// code.
package godoc

import "strings"

// Text returns the package comment in the source of a doc.go, without comment
// markers.
func Text(source string) string {
	var text strings.Builder
	for line := range strings.Lines(source) {
		comment, ok := strings.CutPrefix(line, "//")
		if !ok {
			break
		}
		text.WriteString(strings.TrimPrefix(comment, " "))
	}
	return text.String()
}

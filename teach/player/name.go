package player

import (
	"fmt"
	"strings"

	"timerlab/schemes"
)

// inTitles is what titles say of a scheme's kind, which the paper's number says.
var inTitles = []string{"Hashed wheel, ", "Hierarchical wheels, ", "Hierarchical wheels ", "Ordered list, ", "Simple wheel, ", "Simple wheel ", "Tree: "}

// Name returns what a reader of the paper calls a scheme: scheme 6, unsorted slots. What is no scheme of the paper's has
// its title.
func Name(info *schemes.Info) string {
	text := info.Title
	for _, part := range inTitles {
		text = strings.TrimPrefix(text, part)
	}
	text = strings.Replace(strings.ToLower(text[:1])+text[1:], "sorted lists", "sorted slots", 1)
	if info.Number == 0 {
		return text
	}
	return fmt.Sprintf("scheme %d, %s", info.Number, text)
}

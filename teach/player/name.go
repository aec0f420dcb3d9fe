package player

import (
	"fmt"
	"strings"

	"timerlab/schemes"
)

// inTitle shortens what a title says of its scheme's kind, which the paper's number says.
var inTitle = strings.NewReplacer("Hashed wheel, ", "", "sorted lists", "sorted slots", "Hierarchical wheels, ", "",
	"Hierarchical wheels without", "without", "Ordered list, ", "", "Simple wheel, ", "", "Simple wheel of", "of", "Tree: ", "")

// Name returns what a reader of the paper calls a scheme: scheme 6, unsorted slots. What is no scheme of the paper's has
// its title.
func Name(info *schemes.Info) string {
	text := inTitle.Replace(info.Title)
	text = strings.ToLower(text[:1]) + text[1:]
	if info.Number == 0 {
		return text
	}
	return fmt.Sprintf("scheme %d, %s", info.Number, text)
}

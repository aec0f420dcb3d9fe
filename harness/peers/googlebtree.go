package peers

import (
	"github.com/google/btree"

	"timerlab/schemes"
)

// GoogleBTree is google/btree, the generic form. Its documentation names no
// degree; its benchmarks and most programs use 32.
var GoogleBTree = peer(Peer{
	Info: schemes.Info{
		Number: 3,
		Kind:   schemes.Tree,
		Name:   "googlebtree",
		Title:  "google/btree",
		New: func(cfg schemes.Config) (schemes.Scheme, error) {
			return newSorted("googlebtree", cfg, googleBTree{btree.NewG(32, less)})
		},
		Range: wholeClock,
	},
	Source:   "github.com/google/btree@v1.1.3",
	Settings: "BTreeG of degree 32, keys of deadline and slot",
})

type googleBTree struct{ tree *btree.BTreeG[key] }

func (g googleBTree) insert(k key)       { g.tree.ReplaceOrInsert(k) }
func (g googleBTree) remove(k key)       { g.tree.Delete(k) }
func (g googleBTree) least() (key, bool) { return g.tree.Min() }
func (g googleBTree) popLeast()          { g.tree.DeleteMin() }

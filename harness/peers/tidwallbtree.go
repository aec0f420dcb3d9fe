package peers

import (
	"github.com/tidwall/btree"

	"timerlab/schemes"
)

// TidwallBTree is tidwall/btree, the generic form without its lock, since a scheme
// is not safe for concurrent use either.
var TidwallBTree = peer(Peer{
	Info: schemes.Info{
		Number: 3,
		Kind:   schemes.Tree,
		Name:   "tidwallbtree",
		Title:  "tidwall/btree",
		New: func(cfg schemes.Config) (schemes.Scheme, error) {
			tree := btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})
			return newSorted("tidwallbtree", cfg, tidwallBTree{tree})
		},
		Range: wholeClock,
	},
	Source:   "github.com/tidwall/btree@v1.8.2",
	Settings: "BTreeG with NoLocks and the default degree of 32, keys of deadline and slot",
})

type tidwallBTree struct{ tree *btree.BTreeG[key] }

func (t tidwallBTree) insert(k key)       { t.tree.Set(k) }
func (t tidwallBTree) remove(k key)       { t.tree.Delete(k) }
func (t tidwallBTree) least() (key, bool) { return t.tree.Min() }
func (t tidwallBTree) popLeast()          { t.tree.PopMin() }

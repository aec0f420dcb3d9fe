package peers

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// variant is an Info under a name with a suffix: the suite requires of a name without one what the paper says
// of its seven schemes, such as exact counts. A peer's documentation is its library's.
func variant(info schemes.Info) *schemes.Info {
	info.Name += "-peer"
	info.Doc = info.Title
	return &info
}

func TestConformance(t *testing.T) {
	info := variant(Lean.Info)
	info.Number, info.Kind = 0, schemes.Other // its wheels are not those of a Config
	schemetest.Run(t, info)
	schemetest.Run(t, variant(ValueHeap.Info))
}

// The peers on the virtual clock keep the contract, except that they allocate.
func TestVirtualPeersAllocate(t *testing.T) {
	for _, peer := range []*Peer{ContainerHeap, GoogleBTree} {
		require.ErrorIs(t, schemetest.Verify(variant(peer.Info)), schemetest.ErrAllocates, peer.Info.Name)
	}
}

// Bad numbers of slots are refused, by the peers that have a choice.
func TestBadSlots(t *testing.T) {
	for peer, slots := range map[*Peer]int{RussellLuo: 1, GoZero: -1, GoTimewheel: -1} {
		_, err := peer.Info.New(schemes.Config{Slots: slots})
		require.ErrorIs(t, err, schemes.ErrConfig, peer.Info.Name)
		assert.ErrorContains(t, err, peer.Info.Name+": ")
	}
}

package peers

import (
	_ "embed"
	"flag"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"timerlab/harness/adapter"
	"timerlab/schemes"
)

// protocol names a peer that this test binary is to put behind the line protocol of package adapter.
var protocol = flag.String("protocol", "", "answer the lines of a driver with this peer")

// modules are where the code of peers comes from that is neither ours nor Go's.
var modules = map[*Peer]string{
	GoogleBTree: "github.com/google/btree", RussellLuo: "github.com/RussellLuo/timingwheel",
	GoZero: "github.com/zeromicro/go-zero", GoFrame: "github.com/gogf/gf/v2",
	Antlabs: "github.com/antlabs/timer", GoTimewheel: "github.com/rfyiamcool/go-timewheel",
}

//go:embed go.mod
var goMod string // the binary of a test has no list of its modules

// TestProtocol answers a driver.
func TestProtocol(t *testing.T) {
	if *protocol == "" {
		t.Skip("no peer is named")
	}
	i := slices.IndexFunc(Peers, func(p *Peer) bool { return p.Info.Name == *protocol })
	require.GreaterOrEqual(t, i, 0, "no peer is called %q", *protocol)
	p, info, version := Peers[i], Peers[i].Info, runtime.Version()
	if path := modules[p]; path != "" {
		words := strings.Fields(goMod)
		at := slices.Index(words, path)
		require.GreaterOrEqual(t, at, 0, path)
		version = words[at+1]
	}
	uncorrected = true
	info.Kind = schemes.Other             // no peer has the wheels of a Config
	without := []string{"now", "pertick"} // which are not the library's
	if p.Tick > 0 && p != GoZero {        // each callback has a goroutine of its own
		without = append(without, "order")
	}
	serve := func(t *testing.T) {
		require.NoError(t, adapter.Serve(os.Stdin, os.Stdout, &info, version, without...))
	}
	if p.Tick > 0 {
		synctest.Test(t, serve)
	} else {
		serve(t)
	}
}

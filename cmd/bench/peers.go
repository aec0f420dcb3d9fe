package main

import (
	"github.com/spf13/cobra"

	"timerlab/harness/report"
	"timerlab/harness/run"
)

func newPeers() *cobra.Command {
	j := &childrenJob{
		kind: report.Peers, building: "the peers", build: run.BuildPeers,
		rec: recorder{parts: peersCode, sharded: true},
	}
	return j.command("Measure our timers and other people's on the same workloads, interleaved",
		`Measure the chunked and the linked forms of schemes 6 and 7, a heap as good as we can
make it, and other people's timers (Go's own, timingwheel, go-zero, container/heap,
a B-tree, and Netty's and the JDK's) on the same workloads, and print the best of each cell.
Every sample is a process of its own and its outcome is verified. Builds the nested
module harness/peers, so it must be called within the repository. All rounds take
about an hour; --filter and --rounds reduce it, and --resume continues a file where
it was interrupted. Raw files as arguments are reported, and nothing is measured.`,
		".name:Hold /n:1M", "12 of ours, 6 of others, 3 of others at n = 10M")
}

package workload_test

import (
	"fmt"
	"testing"

	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The streams of presets change on purpose only, as those of a Spec do: results of
// different streams cannot be compared.
func TestStreamsOfPresets(t *testing.T) {
	got := map[string]string{}
	for _, p := range demand.Presets() {
		lives := p.Lives()
		p.N = min(p.N, 100)
		trace, err := workload.Traced(workload.Mixture{N: p.N, Lives: lives, Seed: 5}, 20*lives[0].Stay)
		require.NoError(t, err, p.Name)
		got[p.Name] = fmt.Sprintf("%d lives, %#x", len(lives), trace.Hash)
		if p.Phases != nil {
			trace, err = workload.Traced(workload.Mixture{N: 1000, Lives: lives, Phases: p.Phases}, 2*lives[0].Interval)
			require.NoError(t, err, p.Name)
			got[p.Name] += fmt.Sprintf(", script %#x", trace.Hash)
		}
	}
	assert.Equal(t, map[string]string{
		"akka-ask":        "123 lives, 0x42571f4a267c146e",
		"all-at-once":     "1 lives, 0xe1bf151b17de8ebb, script 0xbb8a96a55b2fe1e4",
		"ascending":       "1 lives, 0x450fd29850670e14, script 0x8ee7e82ba8a5e092",
		"boundary":        "1 lives, 0x1e4012168e51c02e, script 0xba2466b48c13be33",
		"conntrack":       "4004 lives, 0xef1067debc93af12",
		"cron":            "3 lives, 0x34bc83061eb43495, script 0xf7e606c6a0b546ab",
		"delayed-jobs":    "9931 lives, 0x1429997ec4ec0053",
		"descending":      "4096 lives, 0xc62771e5cf5ae4fb, script 0x9d5837ae8a54eb69",
		"equal":           "1 lives, 0x9f0d85bbd58aa432, script 0xb5368cd214d7ede7",
		"game-tick":       "6418 lives, 0xb8e50f977e4811d9",
		"go-deadlines-1m": "3412 lives, 0x2a5042d7ceea53a9",
		"hold":            "4096 lives, 0x33c936f9d2ccd45a",
		"idle-heartbeat":  "40 lives, 0xc96db750c35034b2",
		"imap-160k":       "5709 lives, 0xa08d2b807205131b",
		"kafka-purgatory": "482 lives, 0x232286d0c040f1fe",
		"mqtt-keepalive":  "2993 lives, 0x1a2a5d71b976aa66",
		"netty-idle":      "270 lives, 0x5fd8c99386d061f4",
		"proxy-session":   "10559 lives, 0x8b209f711406efa2",
		"rpc-relay":       "156 lives, 0xe9809c0159bbf264",
		"same-slot":       "1 lives, 0x1e4012168e51c02e, script 0x899589a0732296a0",
		"sparse":          "1 lives, 0xfb0a9f6498a8af51, script 0xe3ac238f54a8f1c5",
		"tcp-all":         "14367 lives, 0xe0fd84a03c5992f7",
		"tcp-rto":         "3674 lives, 0x115c556a94a20ac6",
		"web-idle":        "5238 lives, 0xe35ed1a0bfeb5fdd",
	}, got)
}

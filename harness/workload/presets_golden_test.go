package workload

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The streams of presets change on purpose only, as those of a Spec do: results of
// different streams cannot be compared.
func TestStreamsOfPresets(t *testing.T) {
	got := map[string]string{}
	for _, p := range Presets() {
		lives := p.Lives()
		p.N = min(p.N, 100)
		trace, err := mixtureOf(p.Demand, 20*lives[0].Stay, 5).Trace()
		require.NoError(t, err, p.Name)
		got[p.Name] = fmt.Sprintf("%d lives, %#x", len(lives), trace.Hash)
		if p.Script != nil {
			script := *p.Script
			script.Ticks, script.N = 2*lives[0].Interval, 1000
			trace, err = script.Trace()
			require.NoError(t, err, p.Name)
			got[p.Name] += fmt.Sprintf(", script %#x", trace.Hash)
		}
	}
	assert.Equal(t, map[string]string{
		"akka-ask":        "122 lives, 0x3ed6024b77a9a461",
		"all-at-once":     "1 lives, 0xe1bf151b17de8ebb, script 0xbb8a96a55b2fe1e4",
		"ascending":       "1 lives, 0x450fd29850670e14, script 0x8ee7e82ba8a5e092",
		"boundary":        "1 lives, 0x1e4012168e51c02e, script 0xba2466b48c13be33",
		"conntrack":       "4002 lives, 0xd96abed2962e251c",
		"cron":            "3 lives, 0x34bc83061eb43495, script 0xf7e606c6a0b546ab",
		"delayed-jobs":    "68 lives, 0x16412a2733617498",
		"descending":      "4096 lives, 0xc62771e5cf5ae4fb, script 0x9d5837ae8a54eb69",
		"equal":           "1 lives, 0x9f0d85bbd58aa432, script 0xb5368cd214d7ede7",
		"game-tick":       "3139 lives, 0xf007ef69b7a910a6",
		"go-deadlines-1m": "3412 lives, 0x2a5042d7ceea53a9",
		"hold":            "4096 lives, 0x33c936f9d2ccd45a",
		"idle-heartbeat":  "40 lives, 0xc96db750c35034b2",
		"imap-160k":       "3352 lives, 0x92096d5a6b97d4d2",
		"kafka-purgatory": "482 lives, 0x232286d0c040f1fe",
		"mqtt-keepalive":  "2024 lives, 0x66b14dbd6d980cb5",
		"netty-idle":      "270 lives, 0x5fd8c99386d061f4",
		"proxy-session":   "9892 lives, 0x1409f14e3f3b215c",
		"rpc-relay":       "156 lives, 0xde6bc39cf0d8bb34",
		"same-slot":       "1 lives, 0x1e4012168e51c02e, script 0x899589a0732296a0",
		"sparse":          "1 lives, 0xfb0a9f6498a8af51, script 0xe3ac238f54a8f1c5",
		"tcp-all":         "9975 lives, 0xcd4faafc36b7c620",
		"tcp-rto":         "3247 lives, 0x8be61cbf4b2432cd",
		"web-idle":        "4829 lives, 0x51d076f7be8d81a6",
	}, got)
}

package run

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/drive"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// An instruction count repeats, grows with the work, and is that of the operation alone: a START that compares with
// half of a list takes more than one that compares with none, and the null scheme least.
func TestInstructions(t *testing.T) {
	if _, closeCounter, err := retiredCounter(); err != nil {
		t.Skip("no counter of instructions: ", err)
	} else {
		closeCounter()
	}
	spec := workload.Spec{N: 512, T: 512, Every: 128, Ticks: 2048, Stop: 0.5, StopAt: 0.5}
	starts := func(info *schemes.Info) float64 {
		rows := resultsOf(t, Instructions, info, spec)
		require.Contains(t, rows, "InstructionsPerTick")
		require.Contains(t, rows, "InstructionsStop")
		row := rows["InstructionsStart"]
		require.Equal(t, units.InstructionsPerOp, row.Values[0].Unit)
		return row.Values[0].Value
	}
	wheel, list := starts(seven[5]), starts(seven[1])
	null := starts(&drive.Null)
	assert.Less(t, null+10, wheel)
	assert.Less(t, wheel+256, list)
	assert.InEpsilon(t, wheel, starts(seven[5]), 0.02)
	spec.Ticks *= 2 // twice the work takes twice as much: the same for each operation
	assert.InEpsilon(t, wheel, starts(seven[5]), 0.05)
	assert.Equal(t, units.InstructionsOp, units.RunOf("InstructionsStart"))
}

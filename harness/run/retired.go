package run

import (
	"runtime"

	"timerlab/harness/drive"
	"timerlab/harness/results"
)

// retired is a watch that counts the instructions that a thread retires in laps, in user mode.
type retired struct {
	read         func() uint64
	begun        uint64
	instructions [drive.NumLaps]uint64
	n            [drive.NumLaps]uint64
}

func (r *retired) Each() bool { return false }

func (r *retired) Begin() { r.begun = r.read() }

func (r *retired) End(lap drive.Lap, n int) {
	r.instructions[lap] += r.read() - r.begun
	r.n[lap] += uint64(n)
}

// countInstructions runs the drive and returns a line for each kind of lap: instructions for each
// operation, the harness's included, which are those of the null scheme. There are none where the
// processor's counter cannot be read.
func countInstructions(keys string, d *drive.Drive) ([]results.Result, error) {
	runtime.LockOSThread() // whose instructions are counted
	defer runtime.UnlockOSThread()
	read, closeCounter, err := retiredCounter()
	if err != nil {
		return nil, d.Run(nil)
	}
	defer closeCounter()
	r := &retired{read: read}
	err = d.Run(r)
	var rows []results.Result
	for lap := range drive.NumLaps {
		if r.n[lap] > 0 {
			row := results.Result{Name: results.InstructionsOp + lap.String() + "/" + keys, Iters: int(r.n[lap])}
			row.Add(float64(r.instructions[lap])/float64(r.n[lap]), results.InstructionsPerOp)
			rows = append(rows, row)
		}
	}
	return rows, err
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two tasks of each kind of array, as processes at once, measure both shards. A task that is repeated continues its file,
// and with other flags it is refused. TestShards compares shards with a whole run.
func TestTasksOfAnArray(t *testing.T) {
	assert.Contains(t, read(t, "jobs/kubernetes.yaml"), "command: [bash, cmd/bench/jobs/shard.sh]\n")
	for script, env := range map[string]string{
		"shard.sh": "JOB_COMPLETIONS=2 JOB_COMPLETION_INDEX=%d",
		"slurm.sh": "SLURM_SUBMIT_DIR=. SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_ID=%d",
	} {
		t.Run(script, func(t *testing.T) {
			out := t.TempDir()
			task := func(index int, flags string) (string, error) {
				cmd := exec.CommandContext(t.Context(), "bash", append([]string{"cmd/bench/jobs/" + script}, strings.Fields(flags)...)...)
				cmd.Dir = repository
				cmd.Env = append(os.Environ(), append(strings.Fields(fmt.Sprintf(env, index)), "OUT="+out, "BENCH="+os.Args[0])...)
				text, err := cmd.CombinedOutput()
				return string(text), err
			}
			first, second := 0, 1
			if script == "slurm.sh" {
				first, second = 3, 5
			}
			const grid = "-n 100,1k -T 100 -M 64 --rounds 1 --schemes tree,hashunsorted"
			var all sync.WaitGroup
			for _, index := range []int{first, second} {
				all.Go(func() {
					text, err := task(index, grid)
					assert.NoError(t, err, text)
				})
			}
			all.Wait()
			files := glob(t, out, "run-*-shard-?-of-2.txt")
			require.Len(t, files, 2)
			if !strings.Contains(files[1], "shard-2") { // which began a second earlier
				slices.Reverse(files)
			}
			want := samplesOf(t, files...)
			assert.NotContains(t, succeeds(t, "report", files[0], files[1], "--out", out), "Incomplete")

			before := read(t, files[1])
			put(t, files[1], before[:strings.Index(before, "\ncpu: ")+1])
			text, err := task(second, grid)
			require.NoError(t, err, "the task was killed before its first sample: %s", text)
			assert.Equal(t, want, samplesOf(t, files...))

			put(t, files[1], "")
			text, err = task(second, grid)
			require.NoError(t, err, "the disk was full at the start: %s", text)
			files[1] = glob(t, out, "run-*-shard-2-of-2.txt")[0]
			assert.Equal(t, want, samplesOf(t, files...))

			before = read(t, files[1])
			text, err = task(second, grid+" --limit 3s")
			assert.ErrorContains(t, err, "exit status 2")
			assert.Contains(t, text, "was measured with the flags -n 100,1k")
			assert.Equal(t, before, read(t, files[1]))
		})
	}
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// asBench is set where the test binary is to be the command.
const asBench = "TIMERLAB_TEST_BENCH"

// podCommand returns the command of the job in the manifest, which is its last document.
func podCommand(t *testing.T) []string {
	t.Helper()
	type container struct{ Command, Args []string }
	var job struct {
		Spec struct {
			Template struct {
				Spec struct{ Containers []container }
			}
		}
	}
	docs := strings.Split(read(t, "jobs/kubernetes.yaml"), "\n---\n")
	require.NoError(t, yaml.Unmarshal([]byte(docs[len(docs)-1]), &job))
	bench := job.Spec.Template.Spec.Containers[0]
	return append(bench.Command, bench.Args...)
}

// tinyGrid are flags of a grid of 6 comparisons, which replace those before them.
var tinyGrid = []string{"-n", "100,1k", "-T", "100", "-M", "64", "--rounds", "1", "--schemes", "tree,hashunsorted"}

// task runs the command of a task of an array, with the environment of that.
func task(t *testing.T, command, env []string, out string) (output string, err error) {
	cmd := exec.CommandContext(t.Context(), command[0], slices.Concat(command[1:], tinyGrid)...)
	cmd.Dir = repository
	cmd.Env = append(os.Environ(), append(env, "OUT="+out, "BENCH="+os.Args[0])...)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// samplesOf counts the samples of each cell, and the values of its counts. The noise probe is of a
// file, not of a cell.
func samplesOf(t *testing.T, paths ...string) map[string]string {
	t.Helper()
	table, err := results.Load(paths...)
	require.NoError(t, err)
	all := map[string]string{}
	for _, k := range table.Keys {
		if k.Op != units.SpinName {
			counts := len(table.Samples(k, units.NsPerOp)) + len(table.Samples(k, "limit-ns")) + len(table.Samples(k, units.BytesPerTimer))
			all[k.String()] = fmt.Sprint(counts, table.Samples(k, units.VisitsPerOp), table.Samples(k, units.LinksPerOp))
		}
	}
	return all
}

// Two tasks of each kind of array, as processes, measure what one run does: the same cells with
// the same counts, each once. A task that is repeated adds nothing.
func TestTasksOfAnArray(t *testing.T) {
	whole := t.TempDir()
	code, _, errOut := bench(t, slices.Concat([]string{"run", "--out", whole}, tinyGrid)...)
	require.Zero(t, code, errOut)
	want := samplesOf(t, raw(t, whole))
	for name, array := range map[string]struct {
		command []string
		env     string
		step    int // between two indexes
	}{
		"kubernetes": {podCommand(t), "JOB_COMPLETIONS=2 JOB_COMPLETION_INDEX=%d", 1},
		"slurm": {[]string{"bash", "cmd/bench/jobs/slurm.sh"},
			"SLURM_SUBMIT_DIR=. SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_ID=%d", 2},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			var all sync.WaitGroup
			for i := range 2 {
				all.Go(func() {
					output, err := task(t, array.command, strings.Fields(fmt.Sprintf(array.env, i*array.step)), out)
					assert.NoError(t, err, output)
				})
			}
			all.Wait()
			files, err := filepath.Glob(filepath.Join(out, "run-*-shard-*.txt"))
			require.NoError(t, err)
			require.Len(t, files, 2)
			var joined bytes.Buffer
			for _, file := range files {
				joined.WriteString(read(t, file))
			}
			merged := filepath.Join(out, "run.txt")
			require.NoError(t, os.WriteFile(merged, joined.Bytes(), 0o644))
			assert.Equal(t, want, samplesOf(t, merged))
			code, _, errOut := bench(t, "report", merged, "--out", out)
			assert.Zero(t, code, errOut)

			if name == "kubernetes" {
				return // its script is the same
			}

			before := read(t, files[1])
			second := strings.Fields(fmt.Sprintf(array.env, array.step))
			output, err := task(t, array.command, second, out)
			require.NoError(t, err, output)
			assert.Equal(t, strings.Count(before, "\nBenchmark"), strings.Count(read(t, files[1]), "\nBenchmark"))

			head, _, _ := strings.Cut(before, "\ncpu: ")
			require.NoError(t, os.WriteFile(files[1], []byte(head+"\n"), 0o644))
			output, err = task(t, array.command, second, out)
			require.NoError(t, err, "the task was killed before its first sample: %s", output)
			files, err = filepath.Glob(filepath.Join(out, "run-*-shard-2-of-2.txt"))
			require.NoError(t, err)
			require.Len(t, files, 1)

			before = read(t, files[0])
			output, err = task(t, append(array.command, "--limit", "3s"), second, out)
			assert.ErrorContains(t, err, "exit status 2", "a file of another grid is there")
			assert.Contains(t, output, "--limit=3s")
			assert.Equal(t, before, read(t, files[0]))
		})
	}
}

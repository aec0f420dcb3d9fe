package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
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

// kubernetes returns the documents of the manifest: a claim, a pod and a job.
func kubernetes(t *testing.T) (claim, pod, job map[string]any) {
	t.Helper()
	in := yaml.NewDecoder(strings.NewReader(read(t, "jobs/kubernetes.yaml")))
	for _, doc := range []*map[string]any{&claim, &pod, &job} {
		require.NoError(t, in.Decode(doc))
	}
	return claim, pod, job
}

// at returns what is at a path below a value: keys and indexes, as in spec.containers.0.
func at(value any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		if list, ok := value.([]any); ok {
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(list) {
				return nil
			}
			value = list[i]
			continue
		}
		value = value.(map[string]any)[key]
	}
	return value
}

// The parts of the manifest fit together.
func TestKubernetesManifest(t *testing.T) {
	claim, pod, job := kubernetes(t)
	assert.Equal(t, []any{"ReadWriteMany"}, at(claim, "spec.accessModes"), "pods on several nodes")
	assert.Equal(t, "Indexed", at(job, "spec.completionMode"))
	assert.Equal(t, at(job, "spec.completions"), at(job, "spec.parallelism"))
	assert.Contains(t, []any{"Never", "OnFailure"}, at(job, "spec.template.spec.restartPolicy"), "what a Job allows")
	const apart = "spec.template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution"
	require.Len(t, at(job, apart), 1)
	assert.NotNil(t, at(job, "spec.template.metadata.labels"))
	assert.Equal(t, at(job, "spec.template.metadata.labels"), at(job, apart+".0.labelSelector.matchLabels"))
	for _, spec := range []any{at(pod, "spec"), at(job, "spec.template.spec")} {
		require.Len(t, at(spec, "volumes"), 1)
		assert.Equal(t, at(claim, "metadata.name"), at(spec, "volumes.0.persistentVolumeClaim.claimName"))
		initial, _ := at(spec, "initContainers").([]any)
		for _, container := range append(initial, at(spec, "containers").([]any)...) {
			require.Len(t, at(container, "volumeMounts"), 1)
			assert.Equal(t, at(spec, "volumes.0.name"), at(container, "volumeMounts.0.name"))
			assert.NotEmpty(t, at(container, "image"))
		}
	}
	bench := at(job, "spec.template.spec.containers.0")
	assert.NotNil(t, at(bench, "resources.limits"))
	assert.Equal(t, at(bench, "resources.requests"), at(bench, "resources.limits"), "so that the pod keeps its processors")
	assert.Equal(t, "JOB_COMPLETIONS", at(bench, "env.0.name"))
	assert.Equal(t, fmt.Sprint(at(job, "spec.completions")), at(bench, "env.0.value"))
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

// Four tasks of each kind of array, as processes, measure what one run does: the same cells with
// the same counts, each once. A task that is repeated adds nothing.
func TestTasksOfAnArray(t *testing.T) {
	whole := t.TempDir()
	code, _, errOut := bench(t, slices.Concat([]string{"run", "--out", whole}, tinyGrid)...)
	require.Zero(t, code, errOut)
	want := samplesOf(t, raw(t, whole))
	_, _, job := kubernetes(t)
	container := at(job, "spec.template.spec.containers.0")
	var pod []string
	for _, arg := range append(at(container, "command").([]any), at(container, "args").([]any)...) {
		pod = append(pod, arg.(string))
	}
	for name, array := range map[string]struct {
		command []string
		env     string
		step    int // between two indexes
	}{
		"kubernetes": {pod, "JOB_COMPLETIONS=4 JOB_COMPLETION_INDEX=%d", 1},
		"slurm": {[]string{"bash", "cmd/bench/jobs/slurm.sh"},
			"SLURM_SUBMIT_DIR=. SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_ID=%d", 2},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			var all sync.WaitGroup
			for i := range 4 {
				all.Go(func() {
					output, err := task(t, array.command, strings.Fields(fmt.Sprintf(array.env, i*array.step)), out)
					assert.NoError(t, err, output)
				})
			}
			all.Wait()
			files, err := filepath.Glob(filepath.Join(out, "run-*-shard-*.txt"))
			require.NoError(t, err)
			require.Len(t, files, 4)
			var joined bytes.Buffer
			for _, file := range files {
				joined.WriteString(read(t, file))
			}
			merged := filepath.Join(out, "run.txt")
			require.NoError(t, os.WriteFile(merged, joined.Bytes(), 0o644))
			assert.Equal(t, want, samplesOf(t, merged))
			code, _, errOut := bench(t, "report", merged, "--out", out)
			assert.Zero(t, code, errOut)

			before := read(t, files[2])
			third := strings.Fields(fmt.Sprintf(array.env, 2*array.step))
			output, err := task(t, array.command, third, out)
			require.NoError(t, err, output)
			assert.Equal(t, strings.Count(before, "\nBenchmark"), strings.Count(read(t, files[2]), "\nBenchmark"))

			head, _, _ := strings.Cut(before, "\ncpu: ")
			require.NoError(t, os.WriteFile(files[2], []byte(head+"\n"), 0o644))
			output, err = task(t, array.command, third, out)
			require.NoError(t, err, "the task was killed before its first sample: %s", output)
			files, err = filepath.Glob(filepath.Join(out, "run-*-shard-*.txt"))
			require.NoError(t, err)
			require.Len(t, files, 4)

			files, err = filepath.Glob(filepath.Join(out, "run-*-shard-3-of-4.txt"))
			require.NoError(t, err)
			files = append([]string{"", ""}, files...)
			before = read(t, files[2])
			output, err = task(t, append(array.command, "--limit", "3s"), third, out)
			assert.ErrorContains(t, err, "exit status 2", "a file of another grid is there")
			assert.Contains(t, output, "--limit=3s")
			assert.Equal(t, before, read(t, files[2]))
		})
	}
}

func TestShardOfTask(t *testing.T) {
	for env, want := range map[string]string{
		"JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=4": "1/4", "JOB_COMPLETION_INDEX=3 JOB_COMPLETIONS=4": "4/4",
		"SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=3": "3/3",
		"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=1":                         "1/1",

		"JOB_COMPLETION_INDEX=4 JOB_COMPLETIONS=4": `JOB_COMPLETION_INDEX=4 is not one of the JOB_COMPLETIONS="4" tasks`,
		"JOB_COMPLETION_INDEX=0":                   `not one of the JOB_COMPLETIONS="" tasks`,
		"JOB_COMPLETION_INDEX=x JOB_COMPLETIONS=4": "JOB_COMPLETION_INDEX=x is not one",
		"SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=3": "is not one",
		"": "neither JOB_COMPLETION_INDEX nor SLURM_ARRAY_TASK_ID is set",
	} {
		vars := map[string]string{}
		for pair := range strings.FieldsSeq(env) {
			name, value, _ := strings.Cut(pair, "=")
			vars[name] = value
		}
		s, err := shardOfTask(func(name string) string { return vars[name] })
		if err != nil {
			assert.Contains(t, err.Error(), want, env)
			continue
		}
		assert.Equal(t, want, s.String(), env)
	}
}

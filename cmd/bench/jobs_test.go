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
)

// asBench is set where the test binary is to be the command.
const asBench = "TIMERLAB_TEST_BENCH"

// container and podSpec are the fields of the Kubernetes API that are to fit together.
type container struct {
	Name, Image   string
	Command, Args []string
	Env           []struct{ Name, Value string }
	Resources     struct{ Requests, Limits map[string]string }
	VolumeMounts  []struct{ Name string } `yaml:"volumeMounts"`
}

type podSpec struct {
	RestartPolicy string `yaml:"restartPolicy"`
	Affinity      struct {
		PodAntiAffinity struct {
			Required []struct {
				LabelSelector struct {
					MatchLabels map[string]string `yaml:"matchLabels"`
				} `yaml:"labelSelector"`
			} `yaml:"requiredDuringSchedulingIgnoredDuringExecution"`
		} `yaml:"podAntiAffinity"`
	}
	InitContainers []container `yaml:"initContainers"`
	Containers     []container
	Volumes        []struct {
		Name  string
		Claim struct {
			ClaimName string `yaml:"claimName"`
		} `yaml:"persistentVolumeClaim"`
	}
}

// manifest has one document of each kind.
type manifest struct {
	claim struct {
		Metadata struct{ Name string }
		Spec     struct {
			AccessModes []string `yaml:"accessModes"`
		}
	}
	pod struct{ Spec podSpec }
	job struct {
		Spec struct {
			Completions, Parallelism int
			CompletionMode           string `yaml:"completionMode"`
			Template                 struct {
				Metadata struct{ Labels map[string]string }
				Spec     podSpec
			}
		}
	}
}

func readManifest(t *testing.T) (m manifest) {
	t.Helper()
	in := yaml.NewDecoder(strings.NewReader(read(t, "jobs/kubernetes.yaml")))
	require.NoError(t, in.Decode(&m.claim))
	require.NoError(t, in.Decode(&m.pod))
	require.NoError(t, in.Decode(&m.job))
	return m
}

// The parts of the manifest fit together.
func TestKubernetesManifest(t *testing.T) {
	m := readManifest(t)
	assert.Equal(t, []string{"ReadWriteMany"}, m.claim.Spec.AccessModes, "pods on several nodes")
	job := m.job.Spec
	assert.Equal(t, "Indexed", job.CompletionMode)
	assert.Equal(t, job.Completions, job.Parallelism)
	assert.Contains(t, []string{"Never", "OnFailure"}, job.Template.Spec.RestartPolicy, "what a Job allows")
	apart := job.Template.Spec.Affinity.PodAntiAffinity.Required
	require.Len(t, apart, 1)
	assert.Equal(t, job.Template.Metadata.Labels, apart[0].LabelSelector.MatchLabels)
	for _, spec := range []podSpec{m.pod.Spec, job.Template.Spec} {
		require.Len(t, spec.Volumes, 1)
		assert.Equal(t, m.claim.Metadata.Name, spec.Volumes[0].Claim.ClaimName)
		for _, container := range slices.Concat(spec.InitContainers, spec.Containers) {
			require.Len(t, container.VolumeMounts, 1, container.Name)
			assert.Equal(t, spec.Volumes[0].Name, container.VolumeMounts[0].Name)
			assert.NotEmpty(t, container.Image)
		}
	}
	bench := job.Template.Spec.Containers[0]
	assert.Equal(t, bench.Resources.Requests, bench.Resources.Limits, "so that the pod keeps its processors")
	assert.Equal(t, "JOB_COMPLETIONS", bench.Env[0].Name)
	assert.Equal(t, fmt.Sprint(job.Completions), bench.Env[0].Value)
}

// tinyGrid are flags of a grid of 6 comparisons, which replace those before them.
var tinyGrid = []string{"-n", "100,1k", "-T", "100", "-M", "64", "--rounds", "1", "--schemes", "tree,hashunsorted"}

// task runs the command of a task of an array, with the environment of that.
func task(t *testing.T, command, env []string, out string) (output string, err error) {
	cmd := exec.CommandContext(t.Context(), command[0], slices.Concat(command[1:], tinyGrid)...)
	cmd.Dir = repository
	cmd.Env = append(os.Environ(), append(env, "OUT="+out, "BENCH="+os.Args[0], asBench+"=1")...)
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
		if k.Op != results.SpinName {
			counts := len(table.Samples(k, results.NsPerOp)) + len(table.Samples(k, "limit-ns")) + len(table.Samples(k, results.BytesPerTimer))
			all[k.String()] = fmt.Sprint(counts, table.Samples(k, results.VisitsPerOp), table.Samples(k, results.LinksPerOp))
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
	container := readManifest(t).job.Spec.Template.Spec.Containers[0]
	for name, array := range map[string]struct {
		command []string
		env     string
		step    int // between two indexes
	}{
		"kubernetes": {slices.Concat(container.Command, container.Args), "JOB_COMPLETIONS=4 JOB_COMPLETION_INDEX=%d", 1},
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

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

// meta is the head of every document of a manifest.
type meta struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct {
		Name   string
		Labels map[string]string
	}
}

// container, podSpec, claim, pod and job are the fields of the Kubernetes API that the manifest
// has. A field that is not here is an error: its place in the API is to be looked up.
type container struct {
	Name, Image  string
	WorkingDir   string `yaml:"workingDir"`
	Command      []string
	Args         []string
	Env          []struct{ Name, Value string }
	Resources    struct{ Requests, Limits map[string]string }
	VolumeMounts []struct {
		Name      string
		MountPath string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

type podSpec struct {
	RestartPolicy                 string `yaml:"restartPolicy"`
	TerminationGracePeriodSeconds int    `yaml:"terminationGracePeriodSeconds"`
	Affinity                      struct {
		PodAntiAffinity struct {
			Required []struct {
				LabelSelector struct {
					MatchLabels map[string]string `yaml:"matchLabels"`
				} `yaml:"labelSelector"`
				TopologyKey string `yaml:"topologyKey"`
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

type claim struct {
	meta `yaml:",inline"`
	Spec struct {
		AccessModes []string `yaml:"accessModes"`
		Resources   struct{ Requests map[string]string }
	}
}

type pod struct {
	meta `yaml:",inline"`
	Spec podSpec
}

type job struct {
	meta `yaml:",inline"`
	Spec struct {
		Completions, Parallelism int
		CompletionMode           string `yaml:"completionMode"`
		BackoffLimit             int    `yaml:"backoffLimit"`
		Template                 struct {
			Metadata struct{ Labels map[string]string }
			Spec     podSpec
		}
	}
}

func readManifest(t *testing.T) (c claim, p pod, j job) {
	t.Helper()
	in := yaml.NewDecoder(strings.NewReader(read(t, "jobs/kubernetes.yaml")))
	in.KnownFields(true)
	require.NoError(t, in.Decode(&c))
	require.NoError(t, in.Decode(&p))
	require.NoError(t, in.Decode(&j))
	return c, p, j
}

// The manifest is what the API takes, and its parts fit together.
func TestKubernetesManifest(t *testing.T) {
	c, p, j := readManifest(t)
	assert.Equal(t, []string{"v1", "PersistentVolumeClaim"}, []string{c.APIVersion, c.Kind})
	assert.Equal(t, []string{"ReadWriteMany"}, c.Spec.AccessModes, "pods on several nodes")
	assert.NotEmpty(t, c.Spec.Resources.Requests["storage"])
	assert.Equal(t, []string{"v1", "Pod"}, []string{p.APIVersion, p.Kind})
	assert.Equal(t, []string{"batch/v1", "Job"}, []string{j.APIVersion, j.Kind})
	assert.Equal(t, "Indexed", j.Spec.CompletionMode)
	assert.Equal(t, j.Spec.Completions, j.Spec.Parallelism)
	template := j.Spec.Template
	assert.Contains(t, []string{"Never", "OnFailure"}, template.Spec.RestartPolicy, "what a Job allows")
	require.Len(t, template.Spec.Affinity.PodAntiAffinity.Required, 1)
	assert.Equal(t, template.Metadata.Labels, template.Spec.Affinity.PodAntiAffinity.Required[0].LabelSelector.MatchLabels)
	for _, spec := range []podSpec{p.Spec, template.Spec} {
		require.Len(t, spec.Volumes, 1)
		assert.Equal(t, c.Metadata.Name, spec.Volumes[0].Claim.ClaimName)
		for _, container := range slices.Concat(spec.InitContainers, spec.Containers) {
			require.Len(t, container.VolumeMounts, 1, container.Name)
			assert.Equal(t, spec.Volumes[0].Name, container.VolumeMounts[0].Name)
			assert.NotEmpty(t, container.Image)
		}
	}
	bench := template.Spec.Containers[0]
	assert.Equal(t, bench.Resources.Requests, bench.Resources.Limits, "so that the pod keeps its processors")
	assert.Equal(t, "JOB_COMPLETIONS", bench.Env[0].Name)
	assert.Equal(t, fmt.Sprint(j.Spec.Completions), bench.Env[0].Value)
}

// tinyGrid are flags of a grid of 6 comparisons, which replace those before them.
var tinyGrid = []string{"-n", "100,1k", "-T", "100", "-M", "64", "--rounds", "2", "--schemes", "tree,hashunsorted"}

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
	_, _, j := readManifest(t)
	container := j.Spec.Template.Spec.Containers[0]
	for name, array := range map[string]struct {
		command []string
		env     string
	}{
		"kubernetes": {slices.Concat(container.Command, container.Args), "JOB_COMPLETIONS=4 JOB_COMPLETION_INDEX=%d"},
		"slurm": {[]string{"bash", "cmd/bench/jobs/slurm.sh"},
			"SLURM_SUBMIT_DIR=. SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_ID=%d"},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			var all sync.WaitGroup
			for i := range 4 {
				all.Go(func() {
					output, err := task(t, array.command, strings.Fields(fmt.Sprintf(array.env, i)), out)
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
			output, err := task(t, array.command, strings.Fields(fmt.Sprintf(array.env, 2)), out)
			require.NoError(t, err, output)
			assert.Equal(t, strings.Count(before, "\nBenchmark"), strings.Count(read(t, files[2]), "\nBenchmark"))

			before = read(t, files[2])
			output, err = task(t, append(array.command, "--limit", "3s"), strings.Fields(fmt.Sprintf(array.env, 2)), out)
			assert.ErrorContains(t, err, "exit status 2", "a file of another grid is there")
			assert.Contains(t, output, "--limit=3s")
			assert.Equal(t, before, read(t, files[2]))
		})
	}
}

// An array whose indexes have a step finds the files of its tasks.
func TestTaskOfAnArrayWithAStep(t *testing.T) {
	out := t.TempDir()
	env := strings.Fields("SLURM_SUBMIT_DIR=. SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_ID=2")
	for range 2 {
		output, err := task(t, []string{"bash", "cmd/bench/jobs/slurm.sh"}, env, out)
		require.NoError(t, err, output)
		files, err := filepath.Glob(filepath.Join(out, "run-*-shard-*.txt"))
		require.NoError(t, err)
		require.Len(t, files, 1)
		assert.Contains(t, files[0], "shard-2-of-2")
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

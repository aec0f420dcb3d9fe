package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"

	"timerlab/harness/results"
)

// shardFlag is a shard as the user names it: 2/4, or env for that of a job array's task. Its text is always an
// index and a count, so that the command that a file records does not depend on the environment.
type shardFlag struct{ results.Shard }

func (s *shardFlag) UnmarshalText(text []byte) (err error) {
	if string(text) == "env" {
		s.Shard, err = shardOfTask(os.Getenv)
	} else {
		s.Shard, err = results.ParseShard(string(text))
	}
	return err
}

func (s shardFlag) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// shardOfTask returns the shard of a task of a job array: of a Kubernetes indexed Job, whose
// manifest sets JOB_COMPLETIONS to its completions, or of a Slurm array.
func shardOfTask(getenv func(string) string) (results.Shard, error) {
	for _, array := range []struct{ index, least, step, count string }{
		{"JOB_COMPLETION_INDEX", "", "", "JOB_COMPLETIONS"},
		{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"},
	} {
		if getenv(array.index) == "" {
			continue
		}
		number := func(name, byDefault string) int {
			n, err := strconv.Atoi(cmp.Or(getenv(name), byDefault))
			if err != nil {
				return -1
			}
			return n
		}
		index := number(array.index, "") - number(array.least, "0")
		step, count := number(array.step, "1"), number(array.count, "0")
		if index < 0 || step < 1 || index/step >= count || index%step > 0 {
			return results.Shard{}, fmt.Errorf("%s=%s is not one of the %s=%q tasks of an array (use indexes such as "+
				"0-3)", array.index, getenv(array.index), array.count, getenv(array.count))
		}
		return results.Shard{Index: index/step + 1, Count: count}, nil
	}
	return results.Shard{}, errors.New("neither JOB_COMPLETION_INDEX nor SLURM_ARRAY_TASK_ID is set (use an index " +
		"and a count outside a job array, as in 2/4)")
}

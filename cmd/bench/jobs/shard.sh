#!/usr/bin/env bash
# shard.sh [FLAG...] measures one shard of a grid, as a task of a job array: kubernetes.yaml and
# slurm.sh call it in the root of the repository. The flags are those of bench run. A task that
# is repeated continues its file; other flags in the folder OUT are refused, since a file is of one
# grid. BENCH is the command, if it is built already.
set -euo pipefail
out=${OUT:-results/spread}
index=${JOB_COMPLETION_INDEX:-$(((SLURM_ARRAY_TASK_ID - ${SLURM_ARRAY_TASK_MIN:-0}) / ${SLURM_ARRAY_TASK_STEP:-1}))}
count=${JOB_COMPLETIONS:-$SLURM_ARRAY_TASK_COUNT}
shard=$((index + 1))/$count
read -ra bench <<<"${BENCH:-go run ./cmd/bench}"

shopt -s nullglob
earlier=("$out"/run-*-shard-$((index + 1))-of-"$count".txt)
if [ ${#earlier[@]} -gt 0 ] && ! grep -q '^Benchmark' "${earlier[0]}"; then
	rm "${earlier[0]}" # the task ended before its first sample: there is nothing to continue
	earlier=()
fi
if [ ${#earlier[@]} -gt 0 ]; then
	exec "${bench[@]}" run --shard "$shard" --resume "${earlier[0]}" --seed 1 "$@"
fi
exec "${bench[@]}" run --shard "$shard" --out "$out" --seed 1 "$@"

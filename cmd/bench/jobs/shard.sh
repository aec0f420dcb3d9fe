#!/usr/bin/env bash
# shard.sh [FLAG...] measures one shard of a grid, as a task of a job array: kubernetes.yaml and
# slurm.sh call it in the root of the repository. The flags are those of bench run. A task that
# is repeated continues its file; other flags in the folder OUT are refused, since a file is of one
# grid. A file of 0 bytes is of a task that ended before it could write: it is measured anew. BENCH is
# the command, if it is built already.
set -euo pipefail
out=${OUT:-results/spread}
index=${JOB_COMPLETION_INDEX:-$(((SLURM_ARRAY_TASK_ID - ${SLURM_ARRAY_TASK_MIN:-0}) / ${SLURM_ARRAY_TASK_STEP:-1}))}
count=${JOB_COMPLETIONS:-$SLURM_ARRAY_TASK_COUNT}
shard=$((index + 1))/$count
read -ra bench <<<"${BENCH:-go run ./cmd/bench}"

mkdir -p "$out"
flags=$out/shard-$((index + 1))-of-$count.flags
shopt -s nullglob
find "$out" -name "run-*-shard-$((index + 1))-of-$count.txt" -empty -delete
earlier=("$out"/run-*-shard-$((index + 1))-of-"$count".txt)
if [ ${#earlier[@]} -eq 0 ]; then
	printf "%s\n" "$*" >"$flags"
	exec "${bench[@]}" run --shard "$shard" --out "$out" "$@"
fi
if [ "$*" != "$(cat "$flags")" ]; then
	echo "${earlier[0]} was measured with the flags $(cat "$flags") (set OUT to another folder)" >&2
	exit 2
fi
exec "${bench[@]}" run --resume "${earlier[0]}"

#!/usr/bin/env bash
#SBATCH --job-name=timerlab
#SBATCH --array=0-3
#SBATCH --exclusive
#SBATCH --output=timerlab-%A-%a.log
# Measures a grid in four shards, each alone on a node. In the root of the repository, which all
# nodes must see, and on nodes of one kind:
#
#   sbatch cmd/bench/jobs/slurm.sh -n 1k,100k,1M -T 1k,10k,100k
#   go run ./cmd/bench report results/spread/run-*-shard-*.txt --out results/spread
#
# The flags are those of bench run. Another number of shards: sbatch --array=0-7.
set -euo pipefail
cd "${SLURM_SUBMIT_DIR:-.}"
exec bash cmd/bench/jobs/shard.sh "$@"

#!/usr/bin/env bash
# Submits the game of two players to Slurm: one array job per layer that is not complete, each waiting for the one before.
# Usage: cluster/slurm.sh RULES STORE
# Run it again after a failure: complete layers are left out, and tasks that are done are not run again.
# RULES is a preset or a TOML file, and STORE a folder or s3://bucket/path; all nodes must reach both.
set -euo pipefail
rules=${1:?usage: $0 RULES STORE} store=${2:?usage: $0 RULES STORE}
: "${KEEPERS:=keepers}"  # the program, on every node
: "${BATCH:=16}"         # tasks per array element
: "${MEMORY:=8}"         # GiB per array element
: "${THREADS:=4}"        # cores per array element
: "${LIMIT:=200}"        # array elements at the same time

export KEEPERS BATCH MEMORY THREADS RULES=$rules STORE=$store
"$KEEPERS" two-player run --rules "$rules" --store "$store" --layer 0 --task 0 --memory "$MEMORY" --quiet >/dev/null
open=$("$KEEPERS" two-player status --rules "$rules" --store "$store" --json | python3 -c '
import json, sys
for layer in json.load(sys.stdin)["layers"]:
    if not layer["complete"]:
        print(layer["layer"], layer["tasks"])')

# What an array element runs. The last one to end writes the manifest of the layer.
# shellcheck disable=SC2016 # the variables are those of the job
element='first=$((SLURM_ARRAY_TASK_ID * BATCH)); end=$((first + BATCH)); end=$((end < TASKS ? end : TASKS))
exec "$KEEPERS" two-player run --rules "$RULES" --store "$STORE" --layer "$LAYER" --task "$first..$end" \
  --memory "$MEMORY" --threads "$THREADS" --quiet --json'

previous=
while read -r layer tasks; do
  [ -n "$layer" ] || continue
  # Slurm's memory has room for the program itself. A node that is lost requeues its elements.
  previous=$(LAYER=$layer TASKS=$tasks sbatch --parsable --requeue --job-name="keepers-$layer" \
    --array="0-$(((tasks - 1) / BATCH))%$LIMIT" --cpus-per-task="$THREADS" --mem="$((MEMORY + 1))G" --export=ALL \
    ${previous:+--dependency=afterok:$previous --kill-on-invalid-dep=yes} --wrap="$element")
  echo "layer $layer: $tasks tasks in job $previous"
done <<<"$open"
[ -n "$previous" ] || echo "the game is solved"

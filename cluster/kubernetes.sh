#!/usr/bin/env bash
# Runs the game of two players on Kubernetes: one indexed job per layer that is not complete, one after the other.
# Usage: cluster/kubernetes.sh RULES STORE
# Run it again after a failure or an interruption: it waits for a job that still runs, and replaces one that has failed.
# RULES is a preset, and STORE s3://bucket/path. Image, account and memory are in cluster/kubernetes.yaml.
set -euo pipefail
export RULES=${1:?usage: $0 RULES STORE} STORE=${2:?usage: $0 RULES STORE}
: "${KEEPERS:=keepers}"  # the program, on this machine
: "${BATCH:=16}"         # tasks per pod
: "${PAUSE:=10}"         # seconds between two looks at a job
export BATCH
file=$(dirname "$0")/kubernetes.yaml

# The state of a job: Complete, Failed, empty while it runs, or missing.
state_of() {
  kubectl get job "$1" --ignore-not-found -o name | grep -q . || { echo missing; return; }
  kubectl get job "$1" -o 'jsonpath={.status.conditions[?(@.status=="True")].type}' | grep -oE 'Complete|Failed' || true
}

"$KEEPERS" two-player run --rules "$RULES" --store "$STORE" --layer 0 --task 0 --quiet >/dev/null
open=$("$KEEPERS" two-player status --rules "$RULES" --store "$STORE" --json | python3 -c '
import json, sys
for layer in json.load(sys.stdin)["layers"]:
    if not layer["complete"]:
        print(layer["layer"], layer["tasks"])')

while read -r LAYER TASKS; do
  [ -n "$LAYER" ] || continue
  job=keepers-layer-$LAYER
  if [ -n "$(state_of "$job")" ]; then
    kubectl delete job "$job" --ignore-not-found >/dev/null
    export LAYER TASKS COMPLETIONS=$(((TASKS + BATCH - 1) / BATCH))
    # shellcheck disable=SC2016 # envsubst replaces the variables
    envsubst '${RULES} ${STORE} ${BATCH} ${LAYER} ${TASKS} ${COMPLETIONS}' <"$file" | kubectl apply -f - >/dev/null
  fi
  while state=$(state_of "$job") && [ -z "$state" ]; do sleep "$PAUSE"; done
  if [ "$state" != Complete ]; then
    echo "layer $LAYER has failed: see \`kubectl logs --selector job-name=$job\`, and run this script again" >&2
    exit 1
  fi
  echo "layer $LAYER: $TASKS tasks"
done <<<"$open"
[ -n "$open" ] || echo "the game is solved"

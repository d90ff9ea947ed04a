"""Slurm, Kubernetes, and the autoscaler of Ray, as far as they can be tried without one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from bench import CLUSTER, LONGEST, Bench

# Records its arguments, and runs the elements of an array one after the other, the last one first.
SBATCH = """\
#!/usr/bin/env bash
echo "$*" | head -n 1 >>"$0.calls"
for argument in "$@"; do
  case "$argument" in
    --array=*) last=${argument#--array=0-}; last=${last%%%*} ;;
    --wrap=*) wrapped=${argument#--wrap=} ;;
  esac
done
for ((SLURM_ARRAY_TASK_ID = last; SLURM_ARRAY_TASK_ID >= 0; SLURM_ARRAY_TASK_ID--)); do
  export SLURM_ARRAY_TASK_ID
  sh -c "$wrapped" >/dev/null || exit
done
echo 77
"""


def check_slurm_script(bench: Bench) -> None:
    """The script for Slurm solves a game with a substitute for `sbatch`, and leaves out complete layers."""
    store = bench.new_store()
    substitute = bench.folder / bench.new_name("bin") / "sbatch"
    substitute.parent.mkdir()
    substitute.write_text(SBATCH)
    substitute.chmod(0o755)
    environment = {
        **os.environ,
        "KEEPERS": str(bench.keepers),
        "PATH": f"{substitute.parent}:{os.environ['PATH']}",
        "BATCH": "4",
        "MEMORY": "1",
        "THREADS": "1",
    }
    command = [str(CLUSTER / "slurm.sh"), str(bench.toy), store]

    def output() -> str:
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LONGEST)
        assert ended.returncode == 0, ended
        return ended.stdout

    lines = output().splitlines()
    assert len(lines) == 8 and lines[3] == "layer 4: 6 tasks in job 77", lines
    bench.compare(bench.toy, store)
    calls = substitute.with_name("sbatch.calls").read_text().splitlines()
    assert len(calls) == 8 and "--array=0-1%200" in calls[3], calls
    # Every job but the first waits for the one before.
    assert ["--dependency=afterok:77" in call for call in calls] == [False] + 7 * [True], calls
    assert output() == "the game is solved\n"


# Runs the pods of a job that is applied, and remembers its state in a file. A job whose rules do not exist fails.
KUBECTL = """\
#!/usr/bin/env python3
import os, subprocess, sys
from pathlib import Path
import yaml
arguments = sys.argv[1:]
jobs = Path(f"{sys.argv[0]}.jobs")
jobs.mkdir(exist_ok=True)
with open(f"{sys.argv[0]}.calls", "a") as calls:
    print(*arguments, file=calls)
if arguments[0] == "get":
    state = jobs / arguments[2]
    if state.exists():
        print(f"job.batch/{arguments[2]}" if arguments[-1] == "name" else state.read_text())
elif arguments[0] == "delete":
    (jobs / arguments[2]).unlink(missing_ok=True)
elif arguments[0] == "apply":
    job = yaml.safe_load(sys.stdin)
    [container] = job["spec"]["template"]["spec"]["containers"]
    variables = {one["name"]: one["value"] for one in container["env"]}
    codes = []
    for index in reversed(range(job["spec"]["completions"])):
        environment = {**os.environ, **variables, "JOB_COMPLETION_INDEX": str(index)}
        command = container["command"] + container["args"]
        codes.append(subprocess.run(command, env=environment, stdout=subprocess.DEVNULL).returncode)
    # Kubernetes adds conditions of its own.
    state = "SuccessCriteriaMet Complete" if not any(codes) else "FailureTarget Failed"
    (jobs / job["metadata"]["name"]).write_text(state)
"""


def check_kubernetes_script(bench: Bench) -> None:
    """The script for Kubernetes solves a game with a substitute for `kubectl`, stops at a job that fails, and replaces that
    job when it is run again. Exit codes that are final end a job."""
    import yaml

    store = bench.new_store()
    folder = bench.folder / bench.new_name("bin")
    folder.mkdir()
    # The image has the program as `keepers`, whatever its name is here.
    program = folder / "keepers"
    program.symlink_to(bench.keepers.resolve())
    substitute = folder / "kubectl"
    substitute.write_text(KUBECTL)
    substitute.chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "BATCH": "4", "PAUSE": "0.1"}
    # The substitute runs in the Python that has the YAML library.
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    command = [str(CLUSTER / "kubernetes.sh"), str(bench.toy), store]

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LONGEST)

    # A job of an earlier run has failed: it is replaced.
    failed_job = folder / "kubectl.jobs" / "keepers-layer-4"
    failed_job.parent.mkdir()
    failed_job.write_text("FailureTarget Failed")
    ended = run()
    assert ended.returncode == 0, ended
    lines = ended.stdout.splitlines()
    assert len(lines) == 8 and lines[3] == "layer 4: 6 tasks", lines
    bench.compare(bench.toy, store)
    calls = substitute.with_name("kubectl.calls").read_text().splitlines()
    assert sum(call.startswith("apply") for call in calls) == 8, calls
    assert run().stdout == "the game is solved\n"

    # A job fails: the script stops.
    store = bench.new_store()
    command[2] = store
    program.unlink()
    program.write_text(f'#!/bin/sh\ncase "$*" in *"--layer 2"*) exit 2 ;; esac\nexec {bench.keepers.resolve()} "$@"\n')
    program.chmod(0o755)
    failed = run()
    assert failed.returncode == 1 and failed.stderr.startswith("layer 2 has failed: see `kubectl logs"), failed
    assert failed.stdout.splitlines() == lines[:1], failed
    program.unlink()
    program.symlink_to(bench.keepers.resolve())
    assert run().returncode == 0
    bench.compare(bench.toy, store)
    job = yaml.safe_load((CLUSTER / "kubernetes.yaml").read_text())
    codes = [rule["onExitCodes"]["values"] for rule in job["spec"]["podFailurePolicy"]["rules"] if "onExitCodes" in rule]
    assert codes == [[2, 3]], codes


def check_autoscaler_file(bench: Bench) -> None:
    """The file for the autoscaler is valid for this version of Ray, its commands are shell, and its files exist."""
    import yaml
    from ray.autoscaler._private.util import prepare_config, validate_config

    config = yaml.safe_load((CLUSTER / "autoscaler.yaml").read_text())
    validate_config(prepare_config(config))
    mounted = [path for path in config["file_mounts"].values() if path.startswith("cluster/")]
    assert mounted and all((CLUSTER.parent / path).is_file() for path in mounted), mounted
    kinds = ("setup_commands", "head_start_ray_commands", "worker_start_ray_commands")
    commands = [command for kind in kinds for command in config[kind]]
    assert len(commands) >= 5
    for command in commands:
        subprocess.run(["bash", "-n", "-c", command], check=True)

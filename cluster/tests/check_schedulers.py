"""Slurm, Kubernetes, and the autoscaler of Ray, as far as they can be tried without one."""

from __future__ import annotations

import os
import subprocess

from bench import CLUSTER, LONGEST, Bench, solved

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


def check_kubernetes_job(bench: Bench) -> None:
    """The command of the job for Kubernetes solves the tasks of each index; exit codes that are final end the job."""
    import yaml

    store = bench.solved_up_to(3)
    text = (CLUSTER / "kubernetes.yaml").read_text()
    for name, value in (("LAYER", 4), ("TASKS", 6), ("COMPLETIONS", 2)):
        text = text.replace(f"${{{name}}}", str(value))
    job = yaml.safe_load(text)
    codes = [rule["onExitCodes"]["values"] for rule in job["spec"]["podFailurePolicy"]["rules"] if "onExitCodes" in rule]
    assert codes == [[2, 3]], codes
    container = job["spec"]["template"]["spec"]["containers"][0]
    environment = {**os.environ, **{variable["name"]: variable["value"] for variable in container["env"]}}
    environment.update(RULES=str(bench.toy), KEEPERS_TWO_PLAYER=store, BATCH="4")
    # The image has the program as `keepers`, whatever its name is here.
    program = bench.folder / bench.new_name("bin") / "keepers"
    program.parent.mkdir()
    program.symlink_to(bench.keepers.resolve())
    environment["PATH"] = f"{program.parent}:{environment['PATH']}"
    for index in range(job["spec"]["completions"]):
        environment["JOB_COMPLETION_INDEX"] = str(index)
        command = container["command"] + container["args"]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LONGEST)
        assert ended.returncode == 0, ended
    name = "layer-04/manifest.json"
    assert (bench.files(store) / name).read_bytes() == (solved(bench.toy) / name).read_bytes()


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

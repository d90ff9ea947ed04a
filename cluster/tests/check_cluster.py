"""Runs games on a real Ray cluster with a real S3 server, on the loopback interface, with faults. See scripts/check-cluster.

    check_cluster.py KEEPERS S3S_FS [NAME...]

Runs the checks whose names contain one of the given words, or all. Prints `N passed, M failed`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from contextlib import ExitStack
from pathlib import Path
from typing import Callable

sys.path.insert(0, str(Path(__file__).parent))
import games
from services import BUCKET, HOST, FaultyProxy, RayCluster, S3Server, kill

DRIVER = Path(__file__).parents[1] / "two_player_ray.py"
LONGEST = 300.0


class Checks:
    """The services, the expected results, and the checks."""

    def __init__(self, keepers: Path, s3s_fs: Path, folder: Path, at_end: ExitStack):
        self.keepers = keepers
        self.folder = folder
        self.stores = 0
        self.s3 = S3Server(s3s_fs, folder / "s3")
        at_end.callback(self.s3.stop)
        os.environ.update(self.s3.environment())
        self.ray = RayCluster(folder / "ray")
        at_end.callback(self.ray.stop)
        self.ray.start_nodes(2)
        self.toy = self.solve_here("toy", games.TOY)
        self.many = self.solve_here("many", games.many_tasks())

    # What the checks are made of.

    def solve_here(self, name: str, text: str) -> Path:
        """Solves a game into a folder on this machine. Returns the rules file, next to which the folder is."""
        rules = self.folder / f"{name}.toml"
        rules.write_text(text)
        subprocess.run(
            [self.keepers, "two-player", "solve", "--rules", rules, "--store", rules.with_suffix(""), "--quiet"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return rules

    def new_store(self) -> str:
        """Returns the address of an empty store."""
        self.stores += 1
        return f"s3://{BUCKET}/store-{self.stores}"

    def files(self, store: str) -> Path:
        """Returns the folder in which the server has a store."""
        return self.s3.bucket / store.rsplit("/", 1)[1]

    def start_driver(self, rules: Path, store: str, *options: str, keepers: Path | None = None) -> subprocess.Popen[str]:
        """Starts the driver."""
        command = [sys.executable, DRIVER, "--rules", rules, "--store", store, "--address", self.ray.address]
        command += ["--memory", "1", "--batch", "3", "--keepers", keepers or self.keepers, *options]
        return subprocess.Popen(
            list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def drive(self, rules: Path, store: str, *options: str, keepers: Path | None = None) -> tuple[int, str, str]:
        """Runs the driver to its end."""
        return ended(self.start_driver(rules, store, *options, keepers=keepers))

    def drive_with(self, fault: Callable[[], bool], rules: Path, every: float, *options: str) -> tuple[str, int]:
        """Runs the driver while faults occur. Returns its notes, and the number of faults."""
        store = self.new_store()
        driver = self.start_driver(rules, store, *options)
        faults = 0
        while driver.poll() is None:
            time.sleep(every)
            faults += fault()
        code, _, notes = ended(driver)
        assert code == 0, notes
        self.compare(rules, store)
        return notes, faults

    def compare(self, rules: Path, store: str) -> None:
        """Compares all manifests and the description with those of the game that was solved here, byte for byte."""
        expected = rules.with_suffix("")
        names = sorted(str(path.relative_to(expected)) for path in expected.rglob("*.json"))
        assert len(names) > 5
        for name in names:
            assert (self.files(store) / name).read_bytes() == (expected / name).read_bytes(), f"{name} differs"

    def verify(self, rules: Path, store: str) -> tuple[int, str]:
        """Verifies the files of a store. Returns the exit code and the message."""
        command = [self.keepers, "two-player", "verify", "--rules", rules, "--store", self.files(store), "--quiet"]
        command += ["--blocks", "200", "--duels", "1"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=LONGEST)
        return done.returncode, done.stderr.strip()

    def solved_up_to(self, layer: int) -> str:
        """Returns a store of the toy with the layers up to one."""
        store = self.new_store()
        shutil.copytree(self.toy.with_suffix(""), self.files(store))
        for folder in self.files(store).glob("layer-*"):
            if int(folder.name.removeprefix("layer-")) > layer:
                shutil.rmtree(folder)
        return store

    def fake(self, message: str, code: int) -> Path:
        """Returns a program whose `run` fails. All other commands are those of the real one."""
        script = self.folder / "fake-keepers"
        script.write_text(
            f'#!/bin/sh\ncase "$2 $*" in\n'
            f'run*"--layer 1"*) echo "keepers: {message}" >&2; echo x >> {self.folder}/fake-calls; exit {code} ;;\n'
            f'esac\nexec {self.keepers} "$@"\n'
        )
        script.chmod(0o755)
        (self.folder / "fake-calls").write_text("")
        return script

    def fake_calls(self) -> int:
        """Returns how often the fake program failed."""
        return len((self.folder / "fake-calls").read_text().split())

    # The checks.

    def check_toy_is_identical(self) -> None:
        """A run on Ray and S3 has the manifests of a run into a folder; a second run does nothing."""
        store = self.new_store()
        code, out, notes = self.drive(self.toy, store)
        assert code == 0, notes
        self.compare(self.toy, store)
        # Layer 0 has a single task, which prepares the store.
        assert len(re.findall(r"^layer \d+: ", out, re.M)) == 8, out
        code, again, _ = self.drive(self.toy, store)
        assert code == 0 and "layer 8" not in again and again.splitlines()[-1] == out.splitlines()[-1], again
        assert self.verify(self.toy, store)[0] == 0

    def check_many_tasks_are_identical(self) -> None:
        """A game with hundreds of tasks has the manifests of a run into a folder."""
        store = self.new_store()
        started = time.monotonic()
        code, out, notes = self.drive(self.many, store)
        assert code == 0, notes
        self.compare(self.many, store)
        assert "Root hash" in out
        print(f"    {time.monotonic() - started:.1f} s", flush=True)

    def check_precision_is_passed_on(self) -> None:
        """A store has the given precision, and refuses another with exit code 2."""
        store = self.new_store()
        assert self.drive(self.toy, store, "--values", "f64")[0] == 0
        assert '"values": "f64"' in (self.files(store) / "two-player.json").read_text()
        shutil.rmtree(self.files(store) / "layer-08")
        code, _, notes = self.drive(self.toy, store, "--values", "d16")
        assert code == 2 and "not --values d16" in notes, notes

    def check_killed_workers(self) -> None:
        """Ray workers are killed at random."""
        notes, faults = self.drive_with(lambda: any(kill(pid) for pid in self.ray.workers()[:1]), self.many, 0.5)
        assert faults >= 3, faults
        print(f"    {faults} workers killed", flush=True)

    def check_killed_programs(self) -> None:
        """The program is killed at random, as by the kernel when memory runs out."""
        notes, faults = self.drive_with(lambda: any(kill(pid) for pid in self.ray.programs()[:1]), self.many, 0.2)
        assert faults >= 2 and "ended by SIGKILL" in notes, (faults, notes)
        print(f"    {faults} programs killed", flush=True)

    def check_killed_nodes(self) -> None:
        """A whole node is killed, and another added, twice."""
        left = [2]

        def kill_node() -> bool:
            if left[0] == 0 or not self.ray.workers():
                return False
            left[0] -= 1
            self.ray.kill_node()
            return True

        _, faults = self.drive_with(kill_node, self.many, 2.0)
        assert faults == 2, faults

    def check_killed_driver(self) -> None:
        """The driver is killed and started again, several times; nothing that it started is left."""
        store = self.new_store()
        for seconds in (4.0, 6.0, 7.0):
            driver = self.start_driver(self.many, store)
            time.sleep(seconds)
            assert driver.poll() is None, ended(driver)
            driver.kill()
            ended(driver)
        time.sleep(3)
        assert not self.ray.programs()
        stored = len(list(self.files(store).rglob("*.blocks")))
        assert 0 < stored < 255, stored
        code, out, notes = self.drive(self.many, store)
        assert code == 0, notes
        self.compare(self.many, store)

    def check_two_drivers(self) -> None:
        """Two drivers solve the same game into the same store."""
        store = self.new_store()
        drivers = [self.start_driver(self.many, store, "--batch", batch) for batch in ("2", "5")]
        for driver in drivers:
            code, _, notes = ended(driver)
            assert code == 0, notes
        self.compare(self.many, store)
        assert self.verify(self.many, store)[0] == 0

    def check_faulty_network(self) -> None:
        """Requests are refused, delayed, cut and answered with 503; for some seconds, nothing answers."""
        proxy = FaultyProxy(self.s3.port, seed=1)
        endpoint = os.environ["AWS_ENDPOINT"]
        os.environ["AWS_ENDPOINT"] = f"http://{HOST}:{proxy.port}"
        started = time.monotonic()

        def refuse_for_a_while() -> bool:
            proxy.refuses_all = 6 < time.monotonic() - started < 9
            return proxy.refuses_all

        try:
            self.drive_with(refuse_for_a_while, self.many, 0.5, "--env", "AWS_ENDPOINT")
        finally:
            os.environ["AWS_ENDPOINT"] = endpoint
            proxy.stop()
        assert min(proxy.counts.values()) > 0, proxy.counts
        print(f"    connections: {proxy.counts}", flush=True)

    def check_truncated_object(self) -> None:
        """`verify` names a truncated object of a finished layer, and the driver repairs it."""
        store = self.solved_up_to(4)
        name = "layer-04/task-00002.blocks"
        damaged = self.files(store) / name
        damaged.write_bytes(damaged.read_bytes()[:-20])
        code, message = self.verify(self.toy, store)
        assert code == 1 and f"{name} is damaged" in message, message
        code, _, notes = self.drive(self.toy, store)
        assert code == 0 and f"{name} is damaged" in notes, notes
        self.compare(self.toy, store)
        assert self.verify(self.toy, store)[0] == 0

    def check_flipped_bit(self) -> None:
        """`verify` names an object with a flipped bit; the driver repairs it, or stops with its name."""
        store = self.solved_up_to(4)
        name = "layer-04/task-00003.blocks"
        damaged = self.files(store) / name
        content = bytearray(damaged.read_bytes())
        content[120] ^= 16
        damaged.write_bytes(content)
        code, message = self.verify(self.toy, store)
        assert code == 1 and f"{name} is damaged" in message, message
        code, _, notes = self.drive(self.toy, store)
        assert f"{name} is damaged" in notes, notes
        if code != 0:
            assert code == 1 and len(notes.splitlines()[-1:]) == 1 and "remove this object" in notes, notes
            damaged.unlink()
            code, _, notes = self.drive(self.toy, store)
        assert code == 0, notes
        self.compare(self.toy, store)
        assert self.verify(self.toy, store)[0] == 0

    def check_truncated_object_of_an_unfinished_layer(self) -> None:
        """A damaged object of a layer without a manifest is solved again without a word."""
        store = self.solved_up_to(4)
        (self.files(store) / "layer-04/manifest.json").unlink()
        damaged = self.files(store) / "layer-04/task-00001.blocks"
        damaged.write_bytes(damaged.read_bytes()[:100])
        assert self.drive(self.toy, store)[0] == 0
        self.compare(self.toy, store)

    def check_lost_manifest(self) -> None:
        """A layer whose objects exist, but not its manifest, is completed."""
        store = self.solved_up_to(4)
        (self.files(store) / "layer-04/manifest.json").unlink()
        code, out, notes = self.drive(self.toy, store)
        assert code == 0 and "layer 4: 6 tasks" in out and "(6 done before)" in out, out + notes
        self.compare(self.toy, store)

    def check_conflict_is_fatal(self) -> None:
        """Different values for the same object stop the driver at once."""
        message = "layer-01/task-00000.blocks exists with the hash 1, but the values solved here have the hash 2"
        code, _, notes = self.drive(self.toy, self.new_store(), "--batch", "99", keepers=self.fake(message, 1))
        assert code == 1 and message in notes and self.fake_calls() == 1, notes

    def check_bad_input_is_fatal(self) -> None:
        """Exit code 2 stops the driver at once, with its sentence."""
        message = "a task of layer 1 needs 9.0 GiB of memory, more than the limit of 1.0 GiB: raise --memory"
        code, _, notes = self.drive(self.toy, self.new_store(), "--batch", "99", keepers=self.fake(message, 2))
        assert code == 2 and message in notes and self.fake_calls() == 1, notes
        code, _, notes = self.drive(Path("no-such-game"), self.new_store())
        assert code == 2 and "unknown rules" in notes, notes

    def check_retries_end(self) -> None:
        """A failure that does not pass is tried again as often as allowed."""
        message = "writing layer-01/task-00000.blocks failed: there is no space left"
        options = ("--batch", "99", "--retries", "2")
        code, _, notes = self.drive(self.toy, self.new_store(), *options, keepers=self.fake(message, 1))
        assert code == 1 and "failed 3 times" in notes and message in notes and self.fake_calls() == 3, notes

    def check_missing_program(self) -> None:
        """A program that does not exist is reported."""
        code, _, notes = self.drive(self.toy, self.new_store(), "--retries", "1", keepers=Path("/no/keepers"))
        assert code == 1 and "/no/keepers cannot be run" in notes, notes

    def check_slurm_script(self) -> None:
        """The script for Slurm solves a game with a substitute for `sbatch`, and leaves out complete layers."""
        store = self.new_store()
        substitute = self.folder / "bin" / "sbatch"
        substitute.parent.mkdir()
        substitute.write_text(SBATCH)
        substitute.chmod(0o755)
        environment = {
            **os.environ,
            "KEEPERS": str(self.keepers),
            "PATH": f"{substitute.parent}:{os.environ['PATH']}",
            "BATCH": "4",
            "MEMORY": "1",
            "THREADS": "1",
        }
        command = [str(DRIVER.with_name("slurm.sh")), str(self.toy), store]
        lines = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.splitlines()
        assert len(lines) == 8 and lines[3] == "layer 4: 6 tasks in job 77", lines
        self.compare(self.toy, store)
        again = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        assert again.stdout == "the game is solved\n", again

    def check_kubernetes_job(self) -> None:
        """The command of the job for Kubernetes solves the tasks of each index."""
        import yaml

        store = self.solved_up_to(3)
        text = DRIVER.with_name("kubernetes.yaml").read_text()
        for name, value in (("LAYER", 4), ("TASKS", 6), ("COMPLETIONS", 2)):
            text = text.replace(f"${{{name}}}", str(value))
        job = yaml.safe_load(text)
        container = job["spec"]["template"]["spec"]["containers"][0]
        environment = {**os.environ, **{variable["name"]: variable["value"] for variable in container["env"]}}
        environment.update(RULES=str(self.toy), KEEPERS_TWO_PLAYER=store, BATCH="4")
        environment["PATH"] = f"{self.keepers.parent}:{environment['PATH']}"
        for index in range(job["spec"]["completions"]):
            environment["JOB_COMPLETION_INDEX"] = str(index)
            command = container["command"] + container["args"]
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        expected = self.toy.with_suffix("") / "layer-04/manifest.json"
        assert (self.files(store) / "layer-04/manifest.json").read_bytes() == expected.read_bytes()

    def check_autoscaler_file(self) -> None:
        """The example for the autoscaler is valid for this version of Ray, and its files exist."""
        import jsonschema
        import ray.autoscaler
        import yaml

        config = yaml.safe_load(DRIVER.with_name("autoscaler.yaml").read_text())
        schema = json.loads(Path(ray.autoscaler.__file__).with_name("ray-schema.json").read_text())
        jsonschema.validate(config, schema)
        mounted = [path for path in config["file_mounts"].values() if path.startswith("cluster/")]
        assert mounted and all((DRIVER.parents[1] / path).is_file() for path in mounted), mounted


# Runs the elements of an array one after the other, the last one first.
SBATCH = """\
#!/usr/bin/env bash
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


def ended(driver: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Waits for the end of the driver. Returns its exit code, what it printed, and its notes."""
    try:
        out, notes = driver.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        driver.kill()
        out, notes = driver.communicate()
        raise AssertionError(f"the driver did not end within {LONGEST:.0f} s: {out}{notes}") from None
    return driver.returncode, out, notes


def run(checks: Checks, words: list[str]) -> tuple[int, int]:
    """Runs checks. Returns how many passed and failed."""
    passed = failed = 0
    for name in (name for name in vars(Checks) if name.startswith("check_")):
        if words and not any(word in name for word in words):
            continue
        started = time.monotonic()
        title = name.removeprefix("check_").replace("_", " ")
        try:
            getattr(checks, name)()
        except Exception:  # every failure is reported, and the other checks run
            failed += 1
            print(f"FAILED {title}\n{traceback.format_exc()}", flush=True)
        else:
            passed += 1
            print(f"ok {title} ({time.monotonic() - started:.1f} s)", flush=True)
    return passed, failed


def main() -> int:
    """Starts the services, runs the checks, and ends everything."""
    keepers, s3s_fs, *words = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with ExitStack() as at_end:
        # Paths of sockets must be short, so the folder cannot be in target/.
        folder = Path(tempfile.mkdtemp(prefix="keepers-"))
        at_end.callback(shutil.rmtree, folder, ignore_errors=True)
        checks = Checks(Path(keepers).resolve(), Path(s3s_fs).resolve(), folder, at_end)
        passed, failed = run(checks, words)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

"""What the checks are made of: services, games that were solved on this machine, drivers, and comparisons."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Callable, NamedTuple, Sequence

import games
from services import BUCKET, HOST, Proxy, RayCluster, Request, S3Server, end_with_parent

CLUSTER = Path(__file__).parents[1]
DRIVER = CLUSTER / "two_player_ray.py"
# The tasks of the game of many tasks.
TASKS = 255
# No driver takes longer, in seconds. A quiet machine needs a tenth of it at most.
LONGEST = 900.0


class Ended(NamedTuple):
    """How a command ended: its exit code, what it printed, and its messages."""

    code: int
    out: str
    notes: str


class Driver:
    """A driver that runs. Its output goes to files, so that it never waits for a reader."""

    def __init__(self, command: Sequence[str], output: Path):
        self.output = output
        with open(f"{output}.out", "w") as out, open(f"{output}.err", "w") as notes:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=notes, preexec_fn=end_with_parent
            )

    def is_running(self) -> bool:
        """Returns whether the driver has not ended."""
        return self.process.poll() is None

    def kill(self) -> None:
        """Ends the driver like `kill -9`."""
        self.process.kill()
        self.process.wait()

    def wait(self) -> Ended:
        """Waits for the end of the driver."""
        try:
            self.process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            # Python then writes where every thread is.
            self.process.send_signal(signal.SIGABRT)
            time.sleep(2)
            self.kill()
            raise AssertionError(f"the driver did not end within {LONGEST:.0f} s: {self.texts()}") from None
        return Ended(self.process.returncode, *self.texts())

    def texts(self) -> tuple[str, str]:
        """Returns what the driver has printed, and its notes."""
        return Path(f"{self.output}.out").read_text(), Path(f"{self.output}.err").read_text()


class Bench:
    """The services and the expected results. Without an S3 server, stores are folders."""

    def __init__(self, keepers: Path, s3s_fs: Path | None, folder: Path, at_end: ExitStack):
        self.keepers = keepers
        self.folder = folder
        self.at_end = at_end
        self.count = 0
        self.s3: S3Server | None = None
        if s3s_fs is not None:
            self.s3 = S3Server(s3s_fs, folder / "s3")
            at_end.callback(self.s3.stop)
            os.environ.update(self.s3.environment())
        self.toy = self.solve_here("toy", games.TOY)
        self.many = self.solve_here("many", games.many_tasks())

    @cached_property
    def ray(self) -> RayCluster:
        """The Ray cluster, which starts when a check needs it."""
        cluster = RayCluster(self.folder / "ray", nodes=2)
        self.at_end.callback(cluster.stop)
        return cluster

    def solve_here(self, name: str, text: str, *options: str) -> Path:
        """Solves a game into a folder on this machine. Returns the rules file, next to which the folder is."""
        rules = self.folder / f"{name}.toml"
        rules.parent.mkdir(exist_ok=True)
        rules.write_text(text)
        command = [self.keepers, "two-player", "solve", "--rules", rules, "--store", solved(rules), "--quiet", *options]
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL, timeout=LONGEST)
        return rules

    def run(self, action: str, rules: Path, store: str | Path, *options: str, env: dict[str, str] | None = None) -> Ended:
        """Runs `keepers two-player` on this machine."""
        command = [self.keepers, "two-player", action, "--rules", rules, "--store", store, "--quiet", *options]
        environment = {**os.environ, **(env or {})}
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=LONGEST, env=environment)
        return Ended(done.returncode, done.stdout, done.stderr.strip())

    # Stores.

    def new_name(self, kind: str) -> str:
        """Returns a name that was not used before."""
        self.count += 1
        return f"{kind}-{self.count}"

    def new_store(self) -> str:
        """Returns the address of an empty store."""
        name = self.new_name("store")
        return f"s3://{BUCKET}/{name}" if self.s3 else str(self.folder / name)

    def files(self, store: str) -> Path:
        """Returns the folder with the objects of a store."""
        return self.s3.bucket / store.rsplit("/", 1)[1] if self.s3 else Path(store)

    def objects(self, store: str) -> int:
        """Returns the number of tasks that a store has."""
        return len(list(self.files(store).glob("layer-*/task-*.blocks")))

    def solved_up_to(self, layer: int) -> str:
        """Returns a store of the toy with the layers up to one."""
        store = self.new_store()
        shutil.copytree(solved(self.toy), self.files(store))
        for folder in self.files(store).glob("layer-*"):
            if int(folder.name.removeprefix("layer-")) > layer:
                shutil.rmtree(folder)
        return store

    def proxy(self, handle: Callable[[Request], None]) -> dict[str, str]:
        """Starts a proxy in front of the S3 server. Returns the variables with which programs use it."""
        proxy = Proxy(self.s3.port, handle)
        self.at_end.callback(proxy.stop)
        return {"AWS_ENDPOINT": f"http://{HOST}:{proxy.port}"}

    # Drivers.

    def start_driver(
        self,
        rules: Path,
        store: str,
        *options: str,
        keepers: Path | None = None,
        env: dict[str, str] | None = None,
    ) -> Driver:
        """Starts the driver. It passes the variables of `env` on to all nodes."""
        command = [sys.executable, "-X", "faulthandler", DRIVER, "--rules", rules, "--store", store]
        command += ["--address", self.ray.address, "--memory", "1", "--batch", "3", "--keepers", keepers or self.keepers, *options]
        for name, value in (env or {}).items():
            command = ["env", f"{name}={value}", *command, "--env", name]
        return Driver(list(map(str, command)), self.folder / self.new_name("driver"))

    def drive(self, rules: Path, store: str, *options: str, **more: object) -> Ended:
        """Runs the driver to its end."""
        return self.start_driver(rules, store, *options, **more).wait()

    def drive_with(
        self,
        fault: Callable[[], bool],
        after: Sequence[int],
        *options: str,
        env: dict[str, str] | None = None,
    ) -> Ended:
        """Solves the game of many tasks, and compares. Calls `fault`, which returns whether it had something to do, when
        the store has the given numbers of tasks: so faults never stop all progress, however slow the machine is."""
        store = self.new_store()
        driver = self.start_driver(self.many, store, "--batch", "8", *options, env=env)
        due = list(after)
        end = time.monotonic() + LONGEST
        while due and driver.is_running() and time.monotonic() < end:
            if self.objects(store) >= due[0] and fault():
                due.pop(0)
            time.sleep(0.02)
        ended = driver.wait()
        assert ended.code == 0, ended
        assert not due, f"the game was solved before the faults after {due} of {TASKS} tasks"
        self.compare(self.many, store)
        return ended

    # Comparisons.

    def compare(self, rules: Path, store: str) -> None:
        """Compares all manifests and the description with those of the game that was solved here, byte for byte."""
        expected = solved(rules)
        names = sorted(str(path.relative_to(expected)) for path in expected.rglob("*.json"))
        assert len(names) > 5, names
        for name in names:
            assert (self.files(store) / name).read_bytes() == (expected / name).read_bytes(), f"{name} differs"

    def verify(self, rules: Path, store: str) -> Ended:
        """Verifies the objects of a store."""
        return self.run("verify", rules, store, "--blocks", "20", "--duels", "1")


def solved(rules: Path) -> Path:
    """Returns the folder into which a game was solved on this machine."""
    return rules.with_suffix("")


def wait_until(is_true: Callable[[], bool], what: str, seconds: float = LONGEST) -> None:
    """Waits for something."""
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end, f"after {seconds:.0f} s, there is still no sign of this: {what}"
        time.sleep(0.05)

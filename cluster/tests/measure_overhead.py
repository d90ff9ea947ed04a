"""Measures what Ray and S3 add to `keepers two-player solve`, on this machine. See docs/cluster.md.

    measure_overhead.py [--batch N] [--repeat N] [--memory GIB] [--store folder|S3] KEEPERS S3S_FS RULES

Solves a game with two threads: by `solve` into a folder and into S3, and by the driver on two Ray nodes of one core each,
into a folder and into S3. With `--store folder`, S3S_FS is not used and may be `-`. Prints the wall time of each, the processor time of the program, and that of everything else
(driver, Ray, S3 server); then the medians of what the driver takes as a multiple of `solve` before and after it, so that
other work on the machine changes both. `idle` is the driver with a game that is solved: its own start and end. The cluster
runs before the clock starts, as it would for a real game. Removes each store.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
from bench import DRIVER
from services import BUCKET, RayCluster, S3Server, end_with_parent, parents

TICKS = os.sysconf("SC_CLK_TCK")
# Seconds between two looks at the processor time of programs.
PAUSE = 0.2


class Measured(NamedTuple):
    """Seconds of one run."""

    wall: float
    program: float
    others: float

    def print(self, kind: str, place: str) -> None:
        """Prints a row."""
        print(f"{kind:6} {place:6} {self.wall:9.1f} {self.program:16.1f} {self.others:15.1f}", flush=True)


class Bench:
    """The services of a measurement."""

    def __init__(self, args: argparse.Namespace, folder: Path, at_end: ExitStack):
        self.args = args
        self.folder = folder
        self.keepers = args.keepers.resolve()
        if args.store != "folder":
            self.s3 = S3Server(args.s3s_fs.resolve(), folder / "s3")
            at_end.callback(self.s3.stop)
            os.environ.update(self.s3.environment())
        self.ray = RayCluster(folder / "ray", nodes=2, memory=args.memory)
        at_end.callback(self.ray.stop)

    def measure(self, kind: str, place: str) -> Measured:
        """Solves the game, or what is left of it."""
        store = f"s3://{BUCKET}/store" if place == "S3" else str(self.files(place))
        rules, memory = str(self.args.rules), str(self.args.memory)
        if kind == "solve":
            # `solve` has one limit for both threads, and the driver one for each batch.
            command = [self.keepers, "two-player", "solve", "--rules", rules, "--store", store, "--quiet"]
            command += ["--threads", "2", "--memory", str(2 * self.args.memory)]
        else:
            command = [sys.executable, DRIVER, "--rules", rules, "--store", store, "--address", self.ray.address]
            command += ["--memory", memory, "--batch", str(self.args.batch), "--keepers", self.keepers]
        before, started = self.others(), time.monotonic()
        seconds: dict[int, float] = {}
        with open(self.folder / "output", "w") as output:
            process = subprocess.Popen(list(map(str, command)), stdout=output, preexec_fn=end_with_parent)
            while True:
                for pid in self.tree():
                    if runs(pid, self.keepers) and pid != process.pid:
                        seconds[pid] = own_seconds(pid)
                ended, status, usage = os.wait4(process.pid, os.WNOHANG)
                if ended:
                    break
                time.sleep(PAUSE)
        wall, after = time.monotonic() - started, self.others()
        assert status == 0, status
        used = usage.ru_utime + usage.ru_stime
        if kind == "solve":
            return Measured(wall, used, after - before)
        # What a program used after the last look is not counted, and calls of the driver itself count as the driver's.
        return Measured(wall, sum(seconds.values()), used + after - before)

    def files(self, place: str) -> Path:
        """Returns the folder with the objects of the store."""
        return (self.s3.bucket if place == "S3" else self.folder) / "store"

    def remove(self, place: str) -> bytes:
        """Removes the store. Returns its last manifest."""
        files = self.files(place)
        root = max(files.glob("layer-*/manifest.json")).read_bytes()
        shutil.rmtree(files)
        return root

    def others(self) -> float:
        """Returns the processor time so far of Ray and of the S3 server, without programs that run tasks."""
        return sum(own_seconds(pid) for pid in self.tree() if not runs(pid, self.keepers))

    def tree(self) -> set[int]:
        """Returns all processes that this one has started, and those that they have started."""
        tree = {os.getpid()}
        found = list(parents())
        while more := {pid for pid, parent in found if parent in tree} - tree:
            tree |= more
        return tree - {os.getpid()}


def runs(pid: int, program: Path) -> bool:
    """Returns whether a process runs a program."""
    try:
        return Path(f"/proc/{pid}/exe").readlink() == program
    except OSError:
        return False


def own_seconds(pid: int) -> float:
    """Returns the processor time of a process itself."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def compare(bench: Bench, place: str, repeat: int) -> set[bytes]:
    """Solves the game by both in turn, `solve` first and last. Prints a row of each, and the medians of the ratios. Returns
    the last manifests."""
    roots, wall, cpu = set(), [], []
    solves: list[Measured] = []
    for kind in ("solve", *("Ray", "solve") * repeat):
        measured = bench.measure(kind, place)
        measured.print(kind, place)
        if kind == "Ray":
            between = measured
            bench.measure(kind, place).print("idle", place)
        else:
            solves.append(measured)
        if len(solves) > 1 and kind == "solve":
            around = solves[-2:]
            wall.append(2 * between.wall / sum(found.wall for found in around))
            total = sum(found.program + found.others for found in around)
            cpu.append(2 * (between.program + between.others) / total)
        roots.add(bench.remove(place))
    middle = f"{statistics.median(wall):.3f} of the wall time, {statistics.median(cpu):.3f} of the processor time"
    print(f"the driver takes {middle} of `solve` ({place}, median of {repeat})", flush=True)
    return roots


def main() -> int:
    """Measures `solve` and the driver in turn, and prints a row of each."""
    parser = argparse.ArgumentParser(description="Measure what Ray adds to `keepers two-player solve`.")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--memory", type=int, default=1, metavar="GIB")
    parser.add_argument("--store", choices=("folder", "S3"), help="only this kind of store")
    parser.add_argument("keepers", type=Path)
    parser.add_argument("s3s_fs", type=Path)
    parser.add_argument("rules")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with ExitStack() as at_end:
        folder = Path(tempfile.mkdtemp(prefix="keepers-"))
        at_end.callback(shutil.rmtree, folder, ignore_errors=True)
        bench = Bench(args, folder, at_end)
        print("way    store   wall [s]  program [CPU s]  others [CPU s]", flush=True)
        places = [args.store] if args.store else ["folder", "S3"]
        roots = set().union(*(compare(bench, place, args.repeat) for place in places))
    assert len(roots) == 1, "the manifests differ"
    return 0


if __name__ == "__main__":
    sys.exit(main())

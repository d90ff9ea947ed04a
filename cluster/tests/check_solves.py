"""Games without faults."""

from __future__ import annotations

import re
import shutil
import time

import games
from bench import TASKS, Bench, wait_until


def check_toy_is_identical(bench: Bench) -> None:
    """A run on Ray has the manifests of a run on this machine; a second run does nothing; `verify` accepts the store."""
    store = bench.new_store()
    first = bench.drive(bench.toy, store)
    assert first.code == 0, first
    bench.compare(bench.toy, store)
    # Layer 0 has a single task, which prepares the store.
    assert len(re.findall(r"^layer \d+: ", first.out, re.M)) == 8, first
    again = bench.drive(bench.toy, store)
    assert again.code == 0 and "layer 8" not in again.out, again
    assert again.out.splitlines()[-1] == first.out.splitlines()[-1], again
    assert bench.verify(bench.toy, store).code == 0


def check_many_tasks_are_identical(bench: Bench) -> str:
    """A game with hundreds of tasks has the manifests of a run on this machine."""
    store = bench.new_store()
    started = time.monotonic()
    ended = bench.drive(bench.many, store)
    assert ended.code == 0 and "Root hash" in ended.out, ended
    bench.compare(bench.many, store)
    return f"the driver took {time.monotonic() - started:.1f} s"


def check_precision_is_passed_on(bench: Bench) -> None:
    """A store has the given precision, and refuses another with exit code 2."""
    store = bench.new_store()
    assert bench.drive(bench.toy, store, "--values", "f64").code == 0
    assert '"values": "f64"' in (bench.files(store) / "two-player.json").read_text()
    # `verify` solves every position of the sample to its end: in double precision, the bits must be the same.
    assert bench.verify(bench.toy, store).code == 0
    bench.compare(bench.solve_here("double/toy", games.TOY, "--values", "f64"), store)
    shutil.rmtree(bench.files(store) / "layer-08")
    refused = bench.drive(bench.toy, store, "--values", "d16")
    assert refused.code == 2 and "not --values d16" in refused.notes, refused


def check_solve_continues_a_game_of_the_cluster(bench: Bench) -> None:
    """`keepers two-player solve` continues what a cluster has begun, in the same store."""
    store = bench.new_store()
    driver = bench.start_driver(bench.many, store)
    wait_until(lambda: bench.objects(store) >= 60, "60 tasks")
    driver.kill()
    assert bench.objects(store) < TASKS, "the driver was faster"
    ended = bench.run("solve", bench.many, store)
    assert ended.code == 0, ended
    bench.compare(bench.many, store)

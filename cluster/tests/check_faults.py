"""Processes that are killed: workers, programs, nodes and drivers."""

from __future__ import annotations

from bench import TASKS, Bench, wait_until
from services import kill


def check_killed_worker(bench: Bench) -> None:
    """A Ray worker is killed while it runs a batch of the toy."""
    store = bench.new_store()
    driver = bench.start_driver(bench.toy, store, "--batch", "1")
    wait_until(lambda: bench.objects(store) >= 4 or not driver.is_running(), "4 tasks")
    wait_until(lambda: any(kill(pid) for pid in bench.ray.workers()[:1]) or not driver.is_running(), "a worker")
    assert driver.is_running(), driver.wait()
    ended = driver.wait()
    assert ended.code == 0, ended
    bench.compare(bench.toy, store)


def check_killed_workers(bench: Bench) -> str:
    """Ray workers are killed, eight in all."""
    after = range(15, 250, 30)
    bench.drive_with(lambda: any(kill(pid) for pid in bench.ray.workers()[:1]), after)
    return f"{len(after)} workers killed"


def check_killed_programs(bench: Bench) -> str:
    """Programs are killed, eight in all, as by the kernel when memory runs out."""
    after = range(15, 250, 30)
    ended = bench.drive_with(lambda: any(kill(pid) for pid in bench.ray.programs()[:1]), after)
    assert "ended by SIGKILL" in ended.notes, ended
    return f"{len(after)} programs killed"


def check_killed_nodes(bench: Bench) -> str:
    """All processes of a node are killed while it runs a batch, and another node is added, twice."""

    def kill_node() -> bool:
        is_busy = bool(bench.ray.workers())
        if is_busy:
            bench.ray.kill_node()
        return is_busy

    bench.drive_with(kill_node, (60, 150))
    return "2 nodes killed"


def check_killed_driver(bench: Bench) -> str:
    """The driver is killed by `kill -9` and started again, three times; its programs end with it on all nodes."""
    store = bench.new_store()
    killed = []
    for wanted in (20, 80, 150):
        driver = bench.start_driver(bench.many, store)
        wait_until(lambda: bench.objects(store) >= wanted or not driver.is_running(), f"{wanted} tasks")
        assert driver.is_running(), driver.wait()
        driver.kill()
        killed.append(bench.objects(store))
        wait_until(lambda: not bench.ray.programs(), "the end of all programs")
    assert killed[-1] < TASKS, killed
    ended = bench.drive(bench.many, store)
    assert ended.code == 0, ended
    bench.compare(bench.many, store)
    return f"killed after {killed} of {TASKS} tasks"


def check_two_drivers(bench: Bench) -> None:
    """Two drivers with different batches solve the same game into the same store at the same time."""
    store = bench.new_store()
    drivers = [bench.start_driver(bench.many, store, "--batch", batch) for batch in ("2", "5")]
    for driver in drivers:
        ended = driver.wait()
        assert ended.code == 0, ended
    bench.compare(bench.many, store)
    assert bench.verify(bench.many, store).code == 0

"""Damaged, foreign and conflicting objects, and uploads in parts."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Callable

import games
from bench import Bench, solved
from services import Request

# An object of a layer below the one that is solved next.
OBJECT = "layer-04/task-00002.blocks"


def needs_s3(check: Callable[[Bench], str | None]) -> Callable[[Bench], str | None]:
    """Marks a check that needs an S3 server."""
    check.needs_s3 = True
    return check


def flip(content: bytes) -> bytes:
    """Changes a bit of the values of an object."""
    return content[:120] + bytes([content[120] ^ 16]) + content[121:]


def drive_with_damage(bench: Bench, damage: Callable[[bytes], bytes]) -> None:
    """Damages an object of a finished layer: `verify` names it, the driver repairs it and reports that."""
    store = bench.solved_up_to(4)
    damaged = bench.files(store) / OBJECT
    damaged.write_bytes(damage(damaged.read_bytes()))
    found = bench.verify(bench.toy, store)
    assert found.code == 4 and f"{OBJECT} is damaged" in found.notes, found
    ended = bench.drive(bench.toy, store)
    assert ended.code == 0 and f"{OBJECT} is damaged" in ended.notes, ended
    bench.compare(bench.toy, store)
    assert bench.verify(bench.toy, store).code == 0


def check_truncated_object(bench: Bench) -> None:
    """An object of a finished layer has lost its last bytes."""
    drive_with_damage(bench, lambda content: content[:-20])


def check_short_object(bench: Bench) -> None:
    """Of an object of a finished layer, only a few bytes are left."""
    drive_with_damage(bench, lambda content: content[:100])


def check_flipped_bit(bench: Bench) -> None:
    """A bit of the values of a finished layer has changed."""
    drive_with_damage(bench, flip)


def check_missing_object(bench: Bench) -> None:
    """An object of a finished layer was removed."""
    store = bench.solved_up_to(4)
    (bench.files(store) / OBJECT).unlink()
    ended = bench.drive(bench.toy, store)
    assert ended.code == 0 and f"{OBJECT} is damaged" in ended.notes, ended
    bench.compare(bench.toy, store)


def check_damage_that_many_workers_find(bench: Bench) -> str:
    """Two objects of a layer are damaged, and all batches of the next one find them at the same time."""
    store = bench.new_store()
    shutil.copytree(solved(bench.many), bench.files(store))
    for layer in range(7, 15):
        shutil.rmtree(bench.files(store) / f"layer-{layer:02}")
    names = ("layer-06/task-00003.blocks", "layer-06/task-00020.blocks")
    for name in names:
        path = bench.files(store) / name
        content = bytearray(path.read_bytes())
        content[len(content) // 3] ^= 1
        path.write_bytes(content)
    ended = bench.drive(bench.many, store, "--batch", "1")
    assert ended.code == 0 and all(f"{name} is damaged" in ended.notes for name in names), ended
    bench.compare(bench.many, store)
    return f"{ended.notes.count('is solved again')} repairs"


def check_truncated_object_of_an_unfinished_layer(bench: Bench) -> None:
    """A damaged object of a layer without a manifest is solved again."""
    store = bench.solved_up_to(4)
    (bench.files(store) / "layer-04/manifest.json").unlink()
    damaged = bench.files(store) / "layer-04/task-00001.blocks"
    damaged.write_bytes(damaged.read_bytes()[:100])
    assert bench.drive(bench.toy, store).code == 0
    bench.compare(bench.toy, store)


def check_lost_manifest(bench: Bench) -> None:
    """A layer whose objects exist, but not its manifest, is completed."""
    store = bench.solved_up_to(4)
    (bench.files(store) / "layer-04/manifest.json").unlink()
    ended = bench.drive(bench.toy, store)
    assert ended.code == 0 and "layer 4: 6 tasks" in ended.out and "(6 done before)" in ended.out, ended
    bench.compare(bench.toy, store)


def check_store_of_another_game(bench: Bench) -> None:
    """A store with other rules is refused with exit code 2, and stays as it is."""
    store = bench.solved_up_to(8)
    ended = bench.drive(bench.many, store)
    assert ended.code == 2 and "belongs to other rules" in ended.notes, ended
    bench.compare(bench.toy, store)


def check_newer_version(bench: Bench) -> None:
    """A store that a newer program has written is refused with exit code 2, and stays as it is."""
    store = bench.solved_up_to(4)
    description = bench.files(store) / "two-player.json"
    newer = description.read_text().replace('"format": 1', '"format": 2')
    description.write_text(newer)
    tasks = bench.objects(store)
    ended = bench.drive(bench.toy, store)
    assert ended.code == 2 and "has version 2 of the format, and this program reads version 1" in ended.notes, ended
    assert len(ended.notes.splitlines()) == 1, ended
    assert description.read_text() == newer and bench.objects(store) == tasks


def check_missing_layer(bench: Bench) -> None:
    """A layer in the middle is gone: `verify` names it, and the driver solves it again."""
    store = bench.solved_up_to(8)
    shutil.rmtree(bench.files(store) / "layer-04")
    found = bench.verify(bench.toy, store)
    assert found.code == 2 and "layer-04/manifest.json is missing, but later layers are solved" in found.notes, found
    ended = bench.drive(bench.toy, store)
    assert ended.code == 0 and "layer 4: 6 tasks" in ended.out and "layer 5" not in ended.out, ended
    bench.compare(bench.toy, store)
    assert bench.verify(bench.toy, store).code == 0


def check_run_repairs_damage(bench: Bench) -> None:
    """`keepers two-player run` solves a damaged object of the layer below again, without a driver."""
    for damage in (lambda content: content[:-20], lambda content: content[:100], lambda _: b"", flip):
        store = bench.solved_up_to(4)
        damaged = bench.files(store) / OBJECT
        damaged.write_bytes(damage(damaged.read_bytes()))
        ended = bench.run("run", bench.toy, store, "--layer", "5", "--task", "0..6")
        assert ended.code == 0 and f"{OBJECT} is damaged" in ended.notes, ended
        for name in (OBJECT, "layer-05/manifest.json"):
            assert (bench.files(store) / name).read_bytes() == (solved(bench.toy) / name).read_bytes(), name


@needs_s3
def check_conflict_is_fatal(bench: Bench) -> None:
    """Another machine writes other values in the middle of a write: the driver stops at once with exit code 3."""
    other = bench.solve_here("other", games.TOY, "--values", "f64")
    name = "layer-03/task-00001.blocks"
    store = bench.new_store()

    def handle(request: Request) -> None:
        if request.line.startswith("PUT ") and name in request.line:
            put(solved(other) / name, bench.files(store) / name)
        request.forward()

    ended = bench.drive(bench.toy, store, env=bench.proxy(handle))
    assert ended.code == 3 and f"{name} exists with the hash" in ended.notes and "retry" not in ended.notes, ended
    assert (bench.files(store) / name).read_bytes() == (solved(other) / name).read_bytes(), "it was replaced"


@needs_s3
def check_uploads_in_parts(bench: Bench) -> str:
    """All objects are written in parts; the result is the same."""
    counts = {"completed": 0}

    def handle(request: Request) -> None:
        counts["completed"] += request.line.startswith("POST ") and "uploadId=" in request.line
        request.forward()

    store = bench.new_store()
    env = {**bench.proxy(handle), "KEEPERS_LARGEST_PUT": "100"}
    ended = bench.drive(bench.toy, store, env=env)
    assert ended.code == 0, ended
    bench.compare(bench.toy, store)
    assert counts["completed"] >= bench.objects(store) > 20, counts
    return f"{counts['completed']} uploads completed"


@needs_s3
def check_completing_an_upload_is_conditional(bench: Bench) -> None:
    """Another machine writes an object before an upload in parts is completed: it is not replaced, whatever its values."""
    other = bench.solve_here("other", games.TOY, "--values", "f64")
    name = "layer-03/task-00001.blocks"
    for source, code in ((solved(bench.toy), 0), (solved(other), 3)):
        store = bench.solved_up_to(2)
        written = bench.files(store) / name
        inodes = []

        def handle(request: Request) -> None:
            if request.line.startswith("POST ") and name in request.line and "uploadId=" in request.line:
                assert not written.exists()
                put(source / name, written)
                inodes.append(written.stat().st_ino)
            request.forward()

        env = {**bench.proxy(handle), "KEEPERS_LARGEST_PUT": "100"}
        ended = bench.run("run", bench.toy, store, "--layer", "3", "--task", "1", env=env)
        assert ended.code == code and len(inodes) == 1, (ended, inodes)
        assert written.stat().st_ino == inodes[0], "the object was replaced"
        assert written.read_bytes() == (source / name).read_bytes()


def put(source: Path, target: Path) -> None:
    """Copies an object into the store."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)

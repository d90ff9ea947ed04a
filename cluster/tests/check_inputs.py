"""Bad input, and failures that do not pass."""

from __future__ import annotations

from pathlib import Path

from bench import Bench, wait_until


def fake(bench: Bench, message: str, code: int) -> Path:
    """Returns a program whose `run --stdin` fails with its first batch. All other commands are those of the real one."""
    script = bench.folder / "fake-keepers"
    script.write_text(
        f'#!/bin/sh\ncase "$2 $*" in\n'
        f'run*--stdin*) read -r batch; echo "keepers: {message}" >&2; echo x >> {bench.folder}/fake-calls; exit {code} ;;\n'
        f'esac\nexec {bench.keepers} "$@"\n'
    )
    script.chmod(0o755)
    (bench.folder / "fake-calls").write_text("")
    return script


def fake_calls(bench: Bench) -> int:
    """Returns how often the fake program failed."""
    return len((bench.folder / "fake-calls").read_text().split())


def check_bad_input_is_fatal(bench: Bench) -> None:
    """Exit codes 2 and 3 of the program stop the driver at once, with the sentence of the program."""
    for code in (2, 3):
        message = f"something is wrong for good with {code}"
        ended = bench.drive(bench.toy, bench.new_store(), "--batch", "99", keepers=fake(bench, message, code))
        assert ended.code == code and message in ended.notes and fake_calls(bench) == 1, ended


def check_unknown_rules(bench: Bench) -> None:
    """Rules that do not exist end the driver with one sentence."""
    ended = bench.drive(Path("no-such-game"), bench.new_store())
    assert ended.code == 2 and "unknown rules" in ended.notes, ended
    assert len(ended.notes.splitlines()) == 1, ended


def check_retries_end(bench: Bench) -> None:
    """Other failures are tried again as often as allowed."""
    message = "writing layer-01/task-00000.blocks failed: there is no space left"
    options = ("--batch", "99", "--retries", "2")
    ended = bench.drive(bench.toy, bench.new_store(), *options, keepers=fake(bench, message, 1))
    assert ended.code == 1 and "failed 3 times" in ended.notes and message in ended.notes, ended
    assert fake_calls(bench) == 3, ended


def check_missing_program(bench: Bench) -> None:
    """A program that does not exist is reported."""
    ended = bench.drive(bench.toy, bench.new_store(), "--retries", "1", keepers=Path("/no/keepers"))
    assert ended.code == 1 and "/no/keepers cannot be run" in ended.notes, ended


def check_wrong_token(bench: Bench) -> None:
    """A driver without the token of the cluster is refused."""
    store = bench.new_store()
    # How long Ray repeats what was refused.
    limit = {"RAY_gcs_server_request_timeout_seconds": "5", "RAY_gcs_server_port_wait_time_s": "5"}
    ended = bench.drive(bench.toy, store, env={"RAY_AUTH_TOKEN": "0" * 64, **limit})
    assert ended.code == 1 and not bench.files(store).exists(), ended


def check_batch_larger_than_every_node(bench: Bench) -> None:
    """The driver reports that no node is large enough, and waits for one."""
    store = bench.new_store()
    driver = bench.start_driver(bench.toy, store, "--memory", "2")
    try:
        wait_until(lambda: "no node has 1 core and 2 GiB for a batch yet" in driver.texts()[1], "a note")
        wait_until(lambda: bench.objects(store) == 1, "layer 0")
        assert driver.is_running()
    finally:
        driver.kill()

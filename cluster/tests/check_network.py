"""An S3 server that refuses, delays or cuts requests, answers with errors, or is gone for a while."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter

from bench import Bench
from services import Request


KINDS = ("refused", "500", "503", "delayed", "cut", "lost", "passed")


def faulty_proxy(bench: Bench) -> tuple[dict[str, str], Counter[str]]:
    """Starts a proxy that refuses, delays or cuts a quarter of all requests, answers them with errors, or loses their
    answers. Returns the variables with which programs use it, and what happened to the requests."""
    lock, source, counts = threading.Lock(), random.Random(1), Counter()

    def handle(request: Request) -> None:
        with lock:
            kind = source.choices(KINDS, weights=(4, 4, 4, 5, 4, 4, 75))[0]
            counts[kind] += 1
        if kind == "refused":
            return
        if kind == "500":
            request.answer("500 Internal Server Error")
        elif kind == "503":
            request.answer("503 Slow Down")
        elif kind == "cut":
            request.forward(limit=150)
        elif kind == "lost":
            # The server does what was asked, but the client never learns of it.
            request.forward(limit=0)
        else:
            time.sleep(0.5 if kind == "delayed" else 0)
            request.forward()

    return bench.proxy(handle), counts


def in_words(counts: Counter[str]) -> str:
    """Returns what happened to the requests. Everything must have."""
    assert all(counts[kind] > 5 for kind in KINDS), counts
    return ", ".join(f"{counts[kind]} {kind}" for kind in KINDS)


def check_faulty_requests_of_solve(bench: Bench) -> str:
    """`keepers two-player solve` through a faulty network ends with one sentence, if at all, and continues when it is run
    again. The manifests are the same."""
    env, counts = faulty_proxy(bench)
    store = bench.new_store()
    for runs in range(1, 40):
        ended = bench.run("solve", bench.many, store, env=env)
        if ended.code == 0:
            break
        assert ended.code == 1 and " failed: " in ended.notes and len(ended.notes.splitlines()) == 1, ended
    assert ended.code == 0, ended
    bench.compare(bench.many, store)
    return f"{runs} runs; {in_words(counts)}"


def check_faulty_requests(bench: Bench) -> str:
    """The driver and all workers use a faulty network."""
    env, counts = faulty_proxy(bench)
    bench.drive_with(lambda: True, (), env=env)
    return in_words(counts)


def check_server_is_gone_for_a_while(bench: Bench) -> None:
    """The S3 server is killed in the middle of a game, and started again after five seconds."""

    def restart() -> bool:
        bench.s3.stop()
        time.sleep(5)
        bench.s3.start()
        return True

    bench.drive_with(restart, (60,))


def check_server_that_is_gone(bench: Bench) -> None:
    """A server that does not answer is one sentence that names the variable to check."""
    env = {"AWS_ENDPOINT": "http://127.0.0.1:9", "AWS_ALLOW_HTTP": "true"}
    ended = bench.drive(bench.toy, bench.new_store(), "--retries", "1", env=env)
    assert ended.code == 1 and "nothing answers at that address; check AWS_ENDPOINT" in ended.notes, ended


def check_wrong_keys(bench: Bench) -> None:
    """A wrong secret key is one sentence: requests are signed, and the server checks the signature."""
    ended = bench.drive(bench.toy, bench.new_store(), "--retries", "1", env={"AWS_SECRET_ACCESS_KEY": "wrong"})
    assert ended.code == 1 and "there is no permission; check the credentials" in ended.notes, ended

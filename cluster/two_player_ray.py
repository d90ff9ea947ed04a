#!/usr/bin/env python3
"""Runs the tasks of `keepers two-player` on a Ray cluster.

The driver submits batches of tasks, layer by layer. On every node, `keepers two-player run` runs them; it reads its inputs
from the store and writes its objects there, and nothing but a short report passes through Ray. All state is in the store,
so the driver can be stopped and started at any time, on any machine that reaches the cluster and the store. See
docs/cluster.md.

    two_player_ray.py --rules yacht --store s3://bucket/yacht --memory 4 --keepers /usr/local/bin/keepers

Exit codes: 0 if the game is solved, 2 for bad input, 3 if two machines computed different values, 130 if the driver was
interrupted, 1 for all other failures.
"""

from __future__ import annotations

import argparse
import ctypes
import heapq
import json
import os
import signal
import subprocess
import sys
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Sequence, TextIO

import ray
from ray.exceptions import RayError

GIB = 1 << 30
# Exit codes of the program after which no further attempt can succeed: bad input, and a stored object with other values.
BAD_INPUT = 2
CONFLICT = 3
# Rounds over a layer whose batches all succeeded, but which has no manifest: a process may end after its last object.
ROUNDS = 3
LONGEST_DELAY = 60.0
PR_SET_PDEATHSIG = 1


class Stop(Exception):
    """The reason why the driver cannot go on, in one sentence, and its exit code."""

    def __init__(self, message: str, code: int = 1):
        super().__init__(message)
        self.code = code


class Batch(NamedTuple):
    """Consecutive tasks of a layer, from `first` to `end - 1`."""

    layer: int
    first: int
    end: int

    def __str__(self) -> str:
        return f"layer {self.layer}, tasks {self.first}..{self.end}"


class Outcome(NamedTuple):
    """How a call of the program ended: its exit code, its reports, its messages, and the node it ran on."""

    code: int
    reports: list[dict[str, Any]]
    messages: list[str]
    node: str

    @property
    def error(self) -> str:
        """The reason of a failure: the last message."""
        return self.messages[-1]

    @property
    def is_final(self) -> bool:
        """Whether another attempt would end in the same way."""
        return self.code in (0, BAD_INPUT, CONFLICT)


@dataclass(frozen=True)
class Program:
    """What every call of the program needs, on any node."""

    path: str
    rules: str
    # The contents of the rules file, which the nodes do not have; `None` for a preset.
    rules_text: str | None
    store: str
    environment: dict[str, str]

    def start(self, action: str, arguments: Sequence[str], **pipes: int) -> subprocess.Popen[str]:
        """Starts `keepers two-player ACTION` here. It ends with the thread that calls this, even if that is killed."""
        rules, files = self.rules, []
        if self.rules_text is not None:
            # A file in memory, which leaves nothing behind when processes are killed.
            files.append(os.memfd_create("rules"))
            Path(f"/proc/self/fd/{files[0]}").write_text(self.rules_text, encoding="utf-8")
            rules = f"/proc/self/fd/{files[0]}"
        command = [self.path, "two-player", action, "--rules", rules, "--store", self.store]
        command += ["--json", "--quiet", *arguments]
        try:
            return subprocess.Popen(
                command,
                env={**os.environ, **self.environment},
                text=True,
                pass_fds=files,
                preexec_fn=end_with_parent,
                **pipes,
            )
        finally:
            for file in files:
                os.close(file)

    def call(self, action: str, arguments: Sequence[str]) -> Outcome:
        """Runs `keepers two-player ACTION` here, to its end."""
        pipe = subprocess.PIPE
        try:
            process = self.start(action, arguments, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe)
        except OSError as error:
            return self.not_started(error)
        out, messages = process.communicate()
        reports = [json.loads(line) for line in out.splitlines()] if process.returncode == 0 else []
        return Outcome(process.returncode, reports, messages_of(messages, process.returncode), node_name())

    def not_started(self, error: OSError) -> Outcome:
        """Returns the outcome of a call that the node cannot make."""
        return Outcome(127, [], [f"{self.path} cannot be run ({error.strerror}): check --keepers"], node_name())


class BatchProgram:
    """`keepers two-player run --stdin`, which runs one batch after the other. A Ray worker starts it for its first batch and
    keeps it for the next ones: starting it and opening the layer below take as long as several short tasks."""

    def __init__(self, program: Program, options: list[str]):
        self.started_as = (program, options)
        self.messages = os.memfd_create("messages")
        self.read = 0
        pipe = subprocess.PIPE
        try:
            self.process = program.start("run", ["--stdin", *options], stdin=pipe, stdout=pipe, stderr=self.messages)
        except OSError:
            os.close(self.messages)
            raise

    def run(self, batch: Batch) -> Outcome:
        """Runs a batch. If that fails, the program has ended."""
        try:
            print(f"{batch.layer} {batch.first}..{batch.end}", file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        code = 0
        if not answer.endswith("\n"):
            # Exit code 0 would be an end without an answer, which is a failure, too.
            code = self.process.wait() or 1
        return Outcome(code, [json.loads(answer)] if code == 0 else [], messages_of(self.new_messages(), code), node_name())

    def new_messages(self) -> str:
        """Returns what the program has written to standard error since the last call."""
        # `pread` leaves the position of the file alone, which the program shares.
        found = os.pread(self.messages, os.fstat(self.messages).st_size - self.read, self.read)
        self.read += len(found)
        return found.decode(errors="replace")

    def end(self) -> None:
        """Ends the program."""
        self.process.kill()
        self.process.wait()
        with suppress(BrokenPipeError):
            # A batch that the program did not read is still to be written.
            self.process.stdin.close()
        self.process.stdout.close()
        os.close(self.messages)


def node_name() -> str:
    """Returns the name of this machine."""
    return os.uname().nodename


def end_with_parent() -> None:
    """Asks Linux to kill this process when its parent ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def messages_of(text: str, code: int) -> list[str]:
    """Returns what a call wrote to standard error, without the name of the program. A failed call has at least one line."""
    lines = [line.removeprefix("keepers: ") for line in text.splitlines() if line.strip()]
    if code < 0:
        lines.append(f"the program was ended by {signal.Signals(-code).name}")
    elif code > 0 and not lines:
        lines.append(f"the program ended with exit code {code} and no message")
    return lines


# The program of this Ray worker, at most one: Ray uses a worker for many batches. The driver has none.
kept_programs: list[BatchProgram] = []


@ray.remote
def run_batch(program: Program, batch: Batch, options: list[str]) -> Outcome:
    """Runs the tasks of a batch on the node that Ray chose."""
    if kept_programs and kept_programs[0].started_as != (program, options):
        kept_programs.pop().end()
    if not kept_programs:
        try:
            kept_programs.append(BatchProgram(program, options))
        except OSError as error:
            return program.not_started(error)
    outcome = kept_programs[0].run(batch)
    if outcome.code != 0:
        kept_programs.pop().end()
    return outcome


@dataclass
class LayerSummary:
    """What happened in a layer."""

    layer: int
    tasks: int
    started: float = field(default_factory=time.monotonic)
    existed: int = 0
    values: int = 0
    retries: int = 0
    # Whether a batch has found or written the manifest of the layer.
    complete: bool = False

    def add(self, report: dict[str, Any]) -> None:
        """Adds the report of a batch."""
        self.existed += sum(task["existed"] for task in report["tasks"])
        self.values += sum(task["values"] for task in report["tasks"])
        self.complete |= report["complete"]

    def __str__(self) -> str:
        seconds = time.monotonic() - self.started
        return (
            f"layer {self.layer}: {counted(self.tasks, 'task', 'tasks')} in {seconds:.1f} s"
            f" ({self.existed:,} done before), {counted(self.values, 'value', 'values')},"
            f" {counted(self.retries, 'retry', 'retries')}"
        )


def counted(number: int, one: str, many: str) -> str:
    """Returns a number with its noun."""
    return f"{number:,} {one if number == 1 else many}"


class Driver:
    """Solves all layers of a game on a cluster."""

    def __init__(self, program: Program, args: argparse.Namespace, results: TextIO):
        self.program = program
        self.args = args
        # Where a line per layer is printed.
        self.results = results

    def solve(self) -> dict[str, Any]:
        """Solves every layer that is not complete. Returns the status of the solved game."""
        for found in self.status()["layers"]:
            layer, complete = found["layer"], found["complete"]
            for _ in range(ROUNDS):
                if complete:
                    break
                summary = self.run_layer(layer, found["tasks"])
                print(summary, file=self.results, flush=True)
                complete = summary.complete or self.status()["layers"][layer]["complete"]
            if not complete:
                raise Stop(f"layer {layer} has no manifest after {ROUNDS} rounds: run `keepers two-player verify`")
        return self.status()

    def status(self) -> dict[str, Any]:
        """Returns what the store has. Prepares it for the game if it is empty."""
        outcome = self.call_here("status", [])
        if outcome.code == BAD_INPUT:
            # The store is empty, or `run` refuses the input with its own sentence.
            prepare = ["--layer", "0", "--task", "0", "--memory", str(self.args.memory)]
            checked(self.call_here("run", prepare + self.precision()))
            outcome = self.call_here("status", [])
        return checked(outcome).reports[0]

    def call_here(self, action: str, arguments: list[str]) -> Outcome:
        """Runs the program on the machine of the driver, and again if it fails for a reason that may pass."""
        attempt = 0
        while True:
            outcome = self.program.call(action, arguments)
            if outcome.is_final or attempt >= self.args.retries:
                return outcome
            attempt += 1
            seconds = delay(attempt)
            note(f"{action}: {outcome.error}; retry {attempt} of {self.args.retries} in {seconds:.0f} s")
            time.sleep(seconds)

    def precision(self) -> list[str]:
        """Returns the arguments that set how values are computed and stored."""
        given = (("--values", self.args.values), ("--lanes", self.args.lanes))
        return [part for option, value in given if value for part in (option, value)]

    def submit(self, batch: Batch) -> ray.ObjectRef:
        """Hands a batch to Ray, which starts it on a node with enough free cores and memory."""
        options = ["--memory", str(self.args.memory), "--threads", str(self.args.threads), *self.precision()]
        task = run_batch.options(
            name=f"{batch}",
            num_cpus=self.args.threads,
            memory=self.args.memory * GIB,
            # Ray itself repeats a task whose worker or node is lost.
            max_retries=self.args.retries,
        )
        return task.remote(self.program, batch, options)

    def run_layer(self, layer: int, tasks: int) -> LayerSummary:
        """Runs all tasks of a layer. Tasks that are done cost one request each."""
        slots = sum(int(has.get("CPU", 0) // self.args.threads) for has in live_nodes())
        waiting = deque(batches(layer, tasks, self.args.batch, slots))
        delayed: list[tuple[float, Batch]] = []
        running: dict[ray.ObjectRef, Batch] = {}
        attempts: dict[Batch, int] = {}
        summary = LayerSummary(layer, tasks)
        while waiting or delayed or running:
            while delayed and delayed[0][0] <= time.monotonic():
                waiting.append(heapq.heappop(delayed)[1])
            while waiting and len(running) < self.args.in_flight:
                batch = waiting.popleft()
                running[self.submit(batch)] = batch
            if not running:
                time.sleep(0.1)
                continue
            done, _ = ray.wait(list(running), num_returns=1, timeout=1.0)
            for ref in done:
                ended = running.pop(ref)
                outcome = outcome_of(ref)
                if outcome.code == 0:
                    summary.add(outcome.reports[0])
                    # For example, that a damaged object was solved again.
                    for message in outcome.messages:
                        note(f"{ended}: {message}")
                    continue
                summary.retries += 1
                attempts[ended] = attempts.get(ended, 0) + 1
                seconds = self.after_failure(ended, outcome, attempts[ended])
                heapq.heappush(delayed, (time.monotonic() + seconds, ended))
        return summary

    def after_failure(self, batch: Batch, outcome: Outcome, attempt: int) -> float:
        """Decides what follows a failed batch. Returns the seconds until its next attempt, or raises `Stop`."""
        if outcome.is_final:
            checked(outcome)
        if attempt > self.args.retries:
            raise Stop(f"{batch} failed {attempt} times, last on {outcome.node}: {outcome.error}")
        seconds = delay(attempt)
        note(f"{batch} failed on {outcome.node}: {outcome.error}; retry {attempt} of {self.args.retries} in {seconds:.0f} s")
        return seconds


def batches(layer: int, tasks: int, largest: int, slots: int) -> Iterator[Batch]:
    """Divides a layer for a cluster that runs `slots` batches at a time. A batch has at most `largest` tasks, and at most
    half of what would be the share of a slot in the rest: so batches become smaller, and all slots end at about the same
    time. But every batch has a cost of its own: it decodes frames that hold the inputs of other tasks, too, if these are
    small. So all batches but the last have at least a sixteenth of `largest`."""
    first = 0
    while first < tasks:
        share = (tasks - first) // (2 * max(1, slots))
        end = min(tasks, first + max(1, largest // 16, min(largest, share)))
        yield Batch(layer, first, end)
        first = end


def live_nodes() -> list[dict[str, float]]:
    """Returns the resources of each node of the cluster."""
    return [node["Resources"] for node in ray.nodes() if node["Alive"]]


def checked(outcome: Outcome) -> Outcome:
    """Returns an outcome that must be a success."""
    if outcome.code != 0:
        raise Stop(outcome.error, outcome.code if outcome.is_final else 1)
    return outcome


def outcome_of(ref: ray.ObjectRef) -> Outcome:
    """Returns the outcome of a batch. A worker or node that was lost too often is an outcome, too."""
    try:
        return ray.get(ref)
    except RayError as error:
        first = str(error).strip().splitlines()[0]
        return Outcome(1, [], [f"Ray lost the task ({type(error).__name__}: {first})"], "a lost node")


def delay(attempt: int) -> float:
    """Returns the seconds to wait before an attempt: 1, 2, 4 and so on."""
    return min(2.0 ** (attempt - 1), LONGEST_DELAY)


def note(text: str) -> None:
    """Reports something on standard error."""
    print(f"two_player_ray: {text}", file=sys.stderr, flush=True)


def positive(text: str) -> int:
    """Parses a positive number."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
    return number


def arguments() -> argparse.Namespace:
    """Reads the arguments of the driver."""
    parser = argparse.ArgumentParser(description="Solve the game of two players on a Ray cluster.")
    parser.add_argument("--rules", required=True, help="a preset, or the path of a TOML file on this machine")
    parser.add_argument("--store", required=True, metavar="URL", help="s3://bucket/path, or a folder that all nodes share")
    parser.add_argument("--values", choices=("f64", "f32", "d16"), help="how values are stored")
    parser.add_argument("--lanes", choices=("f64", "f32", "f32-settled"), help="the numbers in which values are computed")
    parser.add_argument("--memory", type=positive, default=8, metavar="GIB", help="memory of a batch [default: 8]")
    parser.add_argument("--threads", type=positive, default=1, metavar="N", help="cores of a batch [default: 1]")
    parser.add_argument("--batch", type=positive, default=16, metavar="N", help="most tasks per batch [default: 16]")
    parser.add_argument(
        "--in-flight", type=positive, default=1000, metavar="N", help="most batches in Ray at a time [default: 1000]"
    )
    parser.add_argument("--retries", type=positive, default=8, metavar="N", help="retries of a batch [default: 8]")
    parser.add_argument("--keepers", default="keepers", metavar="PATH", help="the program, on every node")
    parser.add_argument("--address", default="auto", help="the cluster, or `local` for this machine [default: auto]")
    parser.add_argument(
        "--env", action="append", default=[], metavar="NAME", help="pass an environment variable on to all nodes"
    )
    return parser.parse_args()


def program_of(args: argparse.Namespace) -> Program:
    """Returns the program that arguments describe. Reads the rules file."""
    rules = Path(args.rules)
    try:
        text = rules.read_text(encoding="utf-8") if rules.is_file() else None
    except (OSError, UnicodeDecodeError) as error:
        raise Stop(f"{args.rules} cannot be read: {error}", 2) from error
    unset = [name for name in args.env if name not in os.environ]
    if unset:
        raise Stop(f"--env {unset[0]}: the driver has no such variable", 2)
    environment = {name: os.environ[name] for name in args.env}
    return Program(args.keepers, args.rules, text, args.store, environment)


def connect(address: str) -> None:
    """Connects to the cluster."""
    try:
        ray.init(address=address, log_to_driver=False, logging_level="WARNING")
    except (ConnectionError, RuntimeError, ValueError) as error:
        first = str(error).strip().splitlines()[0]
        raise Stop(f"cannot connect to the Ray cluster at {address}: {first}") from error


def warn_if_too_small(args: argparse.Namespace) -> None:
    """Warns if no node of the cluster can run a batch. An autoscaler may still add one."""
    if not any(has.get("CPU", 0) >= args.threads and has.get("memory", 0) >= args.memory * GIB for has in live_nodes()):
        note(f"no node has {counted(args.threads, 'core', 'cores')} and {args.memory} GiB for a batch yet: waiting for one")


def main() -> int:
    """Solves a game, and prints its value and its root hash."""
    args = arguments()
    results = sys.stdout
    # Ray reports every lost worker on standard output, which has only results here.
    sys.stdout = sys.stderr
    try:
        program = program_of(args)
        connect(args.address)
        warn_if_too_small(args)
        status = Driver(program, args, results).solve()
    except Stop as stop:
        note(str(stop))
        return stop.code
    except KeyboardInterrupt:
        note("interrupted; run the same command again to continue")
        return 130
    if status["value"] is not None:
        print(f"The player who starts has an expected result of {status['value']:.12f}.", file=results)
    print(f"Root hash {status['root']}", file=results, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

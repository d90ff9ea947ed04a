"""What the tests start on the loopback interface: an S3 server, a faulty proxy, and a Ray cluster of several nodes."""

from __future__ import annotations

import ctypes
import os
import random
import re
import secrets
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Iterator
from urllib.parse import unquote

HOST = "127.0.0.1"
BUCKET = "bucket"


def end_with_parent() -> None:
    """Asks Linux to kill this process when its parent ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def free_port() -> int:
    """Returns a port that nothing uses."""
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return listener.getsockname()[1]


def wait_for_port(port: int, seconds: float = 20.0) -> None:
    """Waits until something accepts connections at a port."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection((HOST, port), timeout=1):
            return
        time.sleep(0.05)
    raise TimeoutError(f"nothing listens at {HOST}:{port} after {seconds:.0f} s")


class S3Server:
    """The server s3s-fs, behind a `RangeProxy`. An object is a file in `root`/bucket."""

    def __init__(self, program: Path, root: Path):
        self.bucket = root / BUCKET
        self.bucket.mkdir(parents=True)
        port = free_port()
        # Without keys, because the proxy changes a header that would be signed.
        self.process = subprocess.Popen(
            [str(program), "--host", HOST, "--port", str(port), str(root)],
            env={**os.environ, "RUST_LOG": "off"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=end_with_parent,
        )
        wait_for_port(port)
        self.proxy = RangeProxy(port, root)
        self.port = self.proxy.port

    def environment(self) -> dict[str, str]:
        """Returns the variables with which the program reaches the server."""
        return {
            "AWS_SKIP_SIGNATURE": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT": f"http://{HOST}:{self.port}",
            "AWS_ALLOW_HTTP": "true",
        }

    def stop(self) -> None:
        """Ends the server."""
        self.proxy.stop()
        self.process.kill()
        self.process.wait()


class Proxy:
    """Accepts connections on the loopback interface, and serves each in a thread."""

    def __init__(self, target: int):
        self.target = target
        self.listener = socket.create_server((HOST, 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        """Accepts connections until the listener is closed."""
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve_and_close, args=(client,), daemon=True).start()

    def serve_and_close(self, client: socket.socket) -> None:
        """Serves a connection. Errors end it."""
        with client, suppress(OSError):
            self.serve(client)

    def serve(self, client: socket.socket) -> None:
        """Serves a connection."""
        raise NotImplementedError

    def stop(self) -> None:
        """Accepts no more connections."""
        self.listener.close()


class RangeProxy(Proxy):
    """Corrects requests for the last N bytes of an object that has fewer: S3 returns all of them, s3s-fs 0.14.1 fails."""

    def __init__(self, target: int, root: Path):
        self.root = root
        super().__init__(target)

    def serve(self, client: socket.socket) -> None:
        with socket.create_connection((HOST, self.target)) as server, client.makefile("rb") as requests:
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=pipe, args=(server, client, None), daemon=True).start()
            while head := read_head(requests):
                server.sendall(self.corrected(head))
                length = re.search(rb"(?im)^content-length: *(\d+)", head)
                if length:
                    server.sendall(requests.read(int(length[1])))
            server.shutdown(socket.SHUT_RDWR)

    def corrected(self, head: bytes) -> bytes:
        """Returns the head of a request with the corrected range."""
        suffix = re.search(rb"(?im)^range: *bytes=-(\d+)", head)
        if suffix is None:
            return head
        path = self.root / unquote(head.split()[1].decode().split("?")[0]).lstrip("/")
        if not path.is_file() or not 0 < path.stat().st_size < int(suffix[1]):
            return head
        return head.replace(suffix[0], b"range: bytes=0-%d" % (path.stat().st_size - 1))


class FaultyProxy(Proxy):
    """Refuses, delays and cuts connections, and answers some requests with 503."""

    def __init__(self, target: int, seed: int):
        self.random = random.Random(seed)
        self.refuses_all = False
        self.counts = {"refused": 0, "503": 0, "delayed": 0, "cut": 0, "forwarded": 0}
        super().__init__(target)

    def serve(self, client: socket.socket) -> None:
        fault = self.random.choices(list(self.counts), weights=(15, 10, 10, 10, 55))[0]
        if self.refuses_all:
            fault = "refused"
        self.counts[fault] += 1
        if fault == "refused":
            return
        if fault == "503":
            client.recv(65536)
            client.sendall(b"HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        if fault == "delayed":
            time.sleep(0.5)
        # A connection serves many requests, so every one is cut at some time.
        limit = 700 if fault == "cut" else 200_000
        with socket.create_connection((HOST, self.target)) as server:
            threading.Thread(target=pipe, args=(client, server, None), daemon=True).start()
            pipe(server, client, limit)


def read_head(requests: BinaryIO) -> bytes:
    """Reads the head of a request, with the empty line that ends it. Returns nothing at the end of the connection."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = requests.readline()
        if not line:
            return b""
        head += line
    return head


def pipe(source: socket.socket, sink: socket.socket, limit: int | None) -> None:
    """Copies bytes until the source ends, or until `limit` bytes were copied. Then ends both."""
    with suppress(OSError):
        while data := source.recv(65536 if limit is None else min(65536, limit)):
            sink.sendall(data)
            if limit is not None:
                limit -= len(data)
                if limit <= 0:
                    break
    for end in (source, sink):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


class RayCluster:
    """A head without cores and some nodes, each with its own raylet and workers, on this machine."""

    def __init__(self, folder: Path):
        folder.mkdir()
        # Ray reads these when it is imported.
        os.environ.update(
            RAY_AUTH_MODE="token",
            RAY_AUTH_TOKEN=secrets.token_hex(32),
            RAY_TMPDIR=str(folder),
            # Without this, Ray replaces 127.0.0.1 by the address of the machine in its network.
            RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0",
            RAY_USAGE_STATS_ENABLED="0",
        )
        from ray.cluster_utils import Cluster

        self.cluster = Cluster(
            initialize_head=True,
            head_node_args={
                "num_cpus": 0,
                "node_ip_address": HOST,
                "include_dashboard": False,
                "_system_config": {"health_check_period_ms": 1000, "health_check_failure_threshold": 3},
            },
        )
        self.nodes: list[Any] = []

    def start_nodes(self, count: int) -> None:
        """Adds nodes."""
        self.nodes += [self.add_node() for _ in range(count)]

    @property
    def address(self) -> str:
        """The address for `--address`."""
        return self.cluster.address

    def add_node(self) -> Any:
        """Adds a node with one core and memory for one batch."""
        return self.cluster.add_node(num_cpus=1, memory=1 << 30, node_ip_address=HOST)

    def kill_node(self) -> None:
        """Kills all processes of a node, and adds another."""
        self.cluster.remove_node(self.nodes.pop(0), allow_graceful=False)
        self.nodes.append(self.add_node())

    def workers(self) -> list[int]:
        """Returns the processes that run Ray tasks."""
        raylets = {info.process.pid for node in self.nodes for info in node.all_processes["raylet"]}
        return [pid for pid, parent in parents() if parent in raylets and name_of(pid).startswith("ray::layer ")]

    def programs(self) -> list[int]:
        """Returns the processes of the program that workers have started."""
        workers = set(self.workers())
        return [pid for pid, parent in parents() if parent in workers]

    def stop(self) -> None:
        """Ends all processes of the cluster."""
        self.cluster.shutdown()


def parents() -> Iterator[tuple[int, int]]:
    """Returns every process with its parent."""
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError):
                stat = Path("/proc", entry, "stat").read_text()
                yield int(entry), int(stat.rsplit(")", 1)[1].split()[1])


def name_of(pid: int) -> str:
    """Returns the command line of a process."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


def kill(pid: int) -> bool:
    """Kills a process. Returns whether it still existed."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        return True
    return False

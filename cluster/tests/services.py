"""What the checks start on the loopback interface: an S3 server, proxies in front of it, and a Ray cluster."""

from __future__ import annotations

import ctypes
import os
import re
import secrets
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Callable, Iterator

HOST = "127.0.0.1"
BUCKET = "bucket"
# The longest time that a service may take to start, or a connection to be idle, in seconds.
PATIENCE = 600.0
# The memory of Ray's own object store on each node, in bytes. Only short reports pass through it.
OBJECT_STORE = 80 << 20


def end_with_parent() -> None:
    """Asks Linux to kill this process when its parent ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def free_port() -> int:
    """Returns a port that nothing uses."""
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return listener.getsockname()[1]


def wait_for_port(port: int) -> None:
    """Waits until something accepts connections at a port."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection((HOST, port), timeout=1):
            return
        time.sleep(0.05)
    raise TimeoutError(f"nothing listens at {HOST}:{port} after {PATIENCE:.0f} s")


class S3Server:
    """The server s3s-fs, which accepts only signed requests. An object is a file in `root`/bucket."""

    def __init__(self, program: Path, root: Path):
        self.program = program
        self.root = root
        self.bucket = root / BUCKET
        self.bucket.mkdir(parents=True)
        self.port = free_port()
        self.keys = (secrets.token_hex(8), secrets.token_hex(16))
        self.start()

    def start(self) -> None:
        """Starts the server, at the same port if it ran before."""
        command = [str(self.program), "--host", HOST, "--port", str(self.port)]
        command += ["--access-key", self.keys[0], "--secret-key", self.keys[1], str(self.root)]
        self.process = subprocess.Popen(
            command,
            env={**os.environ, "RUST_LOG": "off"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=end_with_parent,
        )
        wait_for_port(self.port)

    def environment(self) -> dict[str, str]:
        """Returns the variables with which the program reaches the server."""
        return {
            "AWS_ACCESS_KEY_ID": self.keys[0],
            "AWS_SECRET_ACCESS_KEY": self.keys[1],
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT": f"http://{HOST}:{self.port}",
            "AWS_ALLOW_HTTP": "true",
        }

    def stop(self) -> None:
        """Ends the server."""
        self.process.kill()
        self.process.wait()


class GarageServer:
    """The server garage, as a cluster of one node with one bucket."""

    def __init__(self, program: Path, folder: Path):
        folder.mkdir(parents=True)
        self.program = program
        self.config = folder / "garage.toml"
        self.port, rpc = free_port(), free_port()
        self.config.write_text(
            f'metadata_dir = "{folder}/meta"\ndata_dir = "{folder}/data"\ndb_engine = "lmdb"\nreplication_factor = 1\n'
            f'rpc_bind_addr = "{HOST}:{rpc}"\nrpc_public_addr = "{HOST}:{rpc}"\nrpc_secret = "{secrets.token_hex(32)}"\n'
            f'[s3_api]\ns3_region = "garage"\napi_bind_addr = "{HOST}:{self.port}"\nroot_domain = ".s3.local"\n'
        )
        self.process = subprocess.Popen(
            [str(program), "-c", str(self.config), "server"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=end_with_parent,
        )
        wait_for_port(rpc)
        node = self.call("node", "id", "-q").split("@")[0].strip()
        self.call("layout", "assign", "-z", "zone", "-c", "10G", node)
        self.call("layout", "apply", "--version", "1")
        created = self.call("key", "create", "checks")
        self.keys = tuple(re.search(rf"{name}:\s*(\S+)", created)[1] for name in ("Key ID", "Secret key"))
        self.call("bucket", "create", BUCKET)
        self.call("bucket", "allow", "--read", "--write", "--owner", BUCKET, "--key", "checks")
        wait_for_port(self.port)

    def call(self, *arguments: str) -> str:
        """Runs a command of garage. The server may not accept it yet."""
        end = time.monotonic() + PATIENCE
        while True:
            done = subprocess.run([self.program, "-c", self.config, *arguments], capture_output=True, text=True)
            if done.returncode == 0:
                return done.stdout
            assert time.monotonic() < end, done
            time.sleep(1)

    def environment(self) -> dict[str, str]:
        """Returns the variables with which the program reaches the server."""
        return {
            "AWS_ACCESS_KEY_ID": self.keys[0],
            "AWS_SECRET_ACCESS_KEY": self.keys[1],
            "AWS_REGION": "garage",
            "AWS_ENDPOINT": f"http://{HOST}:{self.port}",
            "AWS_ALLOW_HTTP": "true",
        }

    def stop(self) -> None:
        """Ends the server."""
        self.process.kill()
        self.process.wait()


class Request:
    """A request at a proxy, with what a fault can do to it."""

    def __init__(self, head: bytes, body: bytes, client: socket.socket, target: int):
        self.head = head
        self.body = body
        self.client = client
        self.target = target

    @property
    def line(self) -> str:
        """The first line: method, path and version."""
        return self.head.split(b"\r\n", 1)[0].decode(errors="replace")

    def forward(self, limit: int | None = None) -> None:
        """Passes the request on, and returns the answer or its first bytes to the client."""
        with socket.create_connection((HOST, self.target), timeout=PATIENCE) as server:
            # One request per connection, so that the end of the answer is the end of the connection.
            server.sendall(self.head[:-2] + b"connection: close\r\n\r\n" + self.body)
            while data := server.recv(1 << 16):
                if limit is not None:
                    data, limit = data[:limit], limit - len(data)
                if data:
                    self.client.sendall(data)
                if limit is not None and limit <= 0:
                    return

    def answer(self, status: str) -> None:
        """Answers the request without passing it on."""
        self.client.sendall(f"HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode())


class Proxy:
    """Accepts connections at a port, reads one request from each, and calls `handle` with it in a thread."""

    def __init__(self, target: int, handle: Callable[[Request], None]):
        self.target = target
        self.handle = handle
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
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client: socket.socket) -> None:
        """Serves a connection. Errors end it."""
        client.settimeout(PATIENCE)
        with client, suppress(OSError), client.makefile("rb") as stream:
            head = read_head(stream)
            length = re.search(rb"(?im)^content-length: *(\d+)", head)
            body = stream.read(int(length[1])) if length else b""
            if head:
                self.handle(Request(head, body, client, self.target))

    def stop(self) -> None:
        """Accepts no more connections."""
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def read_head(stream: BinaryIO) -> bytes:
    """Reads the head of a request, with the empty line that ends it. Returns nothing at the end of the connection."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline(1 << 16)
        if not line:
            return b""
        head += line
    return head


class RayCluster:
    """A head without cores and some nodes, each with its own raylet and workers, on this machine. A node has one core and
    `memory` GiB."""

    def __init__(self, folder: Path, nodes: int, memory: int = 1):
        folder.mkdir(exist_ok=True)
        self.memory = memory
        # Ray reads these when it is imported. Its own limits end a node that starts slowly on a busy machine.
        limit = int(PATIENCE)
        os.environ.update(
            RAY_AUTH_MODE="token",
            RAY_AUTH_TOKEN=secrets.token_hex(32),
            RAY_TMPDIR=str(folder),
            # Without this, Ray replaces 127.0.0.1 by the address of the machine in its network.
            RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0",
            RAY_USAGE_STATS_ENABLED="0",
            # Ray lowers the priority of its workers, which starve on a machine with other work.
            RAY_worker_niceness="0",
            # Otherwise, two drivers take turns at starting workers and ending those of the other.
            RAY_num_workers_soft_limit="4",
            RAY_gcs_server_port_wait_time_s=str(limit),
            RAY_gcs_server_request_timeout_seconds=str(limit),
            RAY_raylet_start_wait_time_s=str(limit),
            RAY_worker_register_timeout_seconds=str(limit),
            RAY_agent_register_timeout_ms=str(1000 * limit),
        )
        from ray._private import services
        from ray.cluster_utils import Cluster

        services.get_node = patient(services.get_node)
        self.cluster = Cluster()
        # A raylet that was killed does not accept connections, which the head finds after five seconds. One that is slow
        # has a minute for each of five answers.
        checks = {"health_check_period_ms": 1000, "health_check_failure_threshold": 5, "health_check_timeout_ms": 60000}
        self.start_node(num_cpus=0, include_dashboard=False, include_log_monitor=False, _system_config=checks)
        self.nodes: list[Any] = [self.add_node() for _ in range(nodes)]

    @property
    def address(self) -> str:
        """The address for `--address`."""
        return self.cluster.address

    def start_node(self, **options: Any) -> Any:
        """Starts a node, and waits until the head knows it."""
        on_end = signal.getsignal(signal.SIGTERM)
        node = self.cluster.add_node(wait=False, node_ip_address=HOST, object_store_memory=OBJECT_STORE, **options)
        # Ray has a handler of its own, which ends this process without removing its files.
        signal.signal(signal.SIGTERM, on_end)
        self.cluster._wait_for_node(node, PATIENCE)
        return node

    def add_node(self) -> Any:
        """Adds a node with one core and memory for one batch."""
        return self.start_node(num_cpus=1, memory=self.memory << 30)

    def kill_node(self) -> None:
        """Kills all processes of the oldest node, and adds another."""
        self.cluster.remove_node(self.nodes.pop(0), allow_graceful=False)
        self.nodes.append(self.add_node())

    def workers(self) -> list[int]:
        """Returns the processes that run batches."""
        raylets = {info.process.pid for node in self.nodes for info in node.all_processes["raylet"]}
        return [pid for pid, parent in parents() if parent in raylets and name_of(pid).startswith("ray::layer ")]

    def programs(self) -> list[int]:
        """Returns the processes of the program that workers have started."""
        workers = set(self.workers())
        return [pid for pid, parent in parents() if parent in workers]

    def stop(self) -> None:
        """Ends all processes of the cluster."""
        self.cluster.shutdown()


def patient(get_node: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function that waits until a node is known. Ray gives up after 30 s, however slow the machine is."""

    def get(*arguments: Any) -> Any:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return get_node(*arguments)
            except RuntimeError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)

    return get


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

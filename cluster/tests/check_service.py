"""Checks whether an S3 service is fit for the two-player solver. See docs/cluster.md.

    check_service.py [--garage GARAGE] KEEPERS [s3://bucket/path]

Uses the service that AWS_ENDPOINT and the other variables name, or starts `garage` on the loopback interface. Reports
whether the service supports conditional writes, and runs small games on a Ray cluster of this machine into it: once, by
two drivers at the same time, and with killed workers. The manifests must be those of `keepers two-player solve` into a
folder. Writes nothing but objects below the path, and removes none.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import secrets
import shutil
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from bench import Bench, Ended, solved, wait_until
from s3_client import S3Client
from services import BUCKET, GarageServer, kill


class Service:
    """The service, and the path of the objects in its bucket."""

    def __init__(self, store: str):
        bucket, _, path = store.removeprefix("s3://").partition("/")
        self.client = S3Client(bucket)
        self.store = f"s3://{bucket}/{path}".rstrip("/")
        self.prefix = f"{path}/" if path else ""

    def new_store(self, name: str) -> str:
        """Returns the address of an empty store."""
        return f"{self.store}/{name}-{secrets.token_hex(4)}"

    def get(self, store: str, name: str) -> bytes | None:
        """Returns an object of a store."""
        return self.client.get(f"{self.prefix}{store.rsplit('/', 1)[1]}/{name}")

    def compare(self, rules: Path, store: str) -> int:
        """Compares all manifests and the description with those of the game that was solved here, byte for byte."""
        expected = solved(rules)
        names = sorted(path.relative_to(expected) for path in expected.rglob("*.json"))
        for name in names:
            assert self.get(store, str(name)) == (expected / name).read_bytes(), f"{name} differs"
        return len(names)

    def second_put(self) -> int:
        """Writes an object twice, the second time under the condition that it does not exist. Returns the second status."""
        key = f"{self.prefix}conditional-{secrets.token_hex(4)}"
        status, body = self.client.request("PUT", key, b"first")
        assert status == 200, (status, body)
        status, _ = self.client.request("PUT", key, b"second", {"if-none-match": "*"})
        found = self.client.get(key)
        assert found == (b"second" if status == 200 else b"first"), (status, found)
        return status

    def second_upload(self) -> int:
        """Completes an upload in parts of an object that exists, under the condition that it does not. Returns the status."""
        key = f"{self.prefix}conditional-{secrets.token_hex(4)}"
        status, body = self.client.request("PUT", key, b"first")
        assert status == 200, (status, body)
        status, body = self.client.request("POST", key, query={"uploads": ""})
        upload = re.search(rb"<UploadId>(.*?)</UploadId>", body)
        assert status == 200 and upload, (status, body)
        query = {"uploadId": upload[1].decode()}
        part = b"second" * 1_000_000
        status, body = self.client.request("PUT", key, part, query={"partNumber": "1", **query})
        assert status == 200, (status, body)
        tag = hashlib.md5(part).hexdigest()
        done = f'<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"{tag}"</ETag></Part></CompleteMultipartUpload>'
        status, _ = self.client.request("POST", key, done.encode(), {"if-none-match": "*"}, query)
        found = self.client.get(key)
        assert found == (part if status == 200 else b"first"), status
        return status


def succeeded(ended: Ended) -> None:
    """Checks that a command succeeded."""
    assert ended.code == 0, ended


def check(bench: Bench, service: Service) -> None:
    """Runs the games, and prints a line per result."""
    for what, status in (("PUT", service.second_put()), ("upload in parts", service.second_upload())):
        meaning = "replaced: the service ignores the condition" if status == 200 else "kept"
        print(f"{what} with If-None-Match of an object that exists: status {status}, {meaning}", flush=True)
    for rules in (bench.toy, bench.many):
        started, store = time.monotonic(), service.new_store(rules.stem)
        succeeded(bench.drive(rules, store))
        names = service.compare(rules, store)
        print(f"ok {rules.stem} on Ray ({time.monotonic() - started:.1f} s): {names} objects identical", flush=True)
        succeeded(bench.verify(rules, store))
    started, store = time.monotonic(), service.new_store("two")
    drivers = [bench.start_driver(bench.many, store, "--batch", batch) for batch in ("3", "5")]
    for driver in drivers:
        succeeded(driver.wait())
    service.compare(bench.many, store)
    print(f"ok two drivers ({time.monotonic() - started:.1f} s)", flush=True)
    started, store = time.monotonic(), service.new_store("killed")
    driver = bench.start_driver(bench.many, store, "--batch", "8")
    for layer in range(2, 12, 2):
        # The layer below is complete, and this one runs.
        wait_until(lambda: service.get(store, f"layer-{layer - 1:02}/manifest.json") is not None, f"layer {layer - 1}")
        wait_until(lambda: any(kill(pid) for pid in bench.ray.workers()[:1]) or not driver.is_running(), "a worker")
    assert driver.is_running(), driver.wait()
    succeeded(driver.wait())
    service.compare(bench.many, store)
    print(f"ok 5 killed workers ({time.monotonic() - started:.1f} s)", flush=True)
    started, store = time.monotonic(), service.new_store("parts")
    succeeded(bench.drive(bench.toy, store, env={"KEEPERS_LARGEST_PUT": "100"}))
    service.compare(bench.toy, store)
    print(f"ok all objects uploaded in parts ({time.monotonic() - started:.1f} s)", flush=True)


def main() -> int:
    """Starts what is needed, and runs the checks."""
    parser = argparse.ArgumentParser(description="Check an S3 service.")
    parser.add_argument("--garage", type=Path, help="start this program as the service")
    parser.add_argument("keepers", type=Path)
    parser.add_argument("store", nargs="?", default=f"s3://{BUCKET}/check")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with ExitStack() as at_end:
        folder = Path(tempfile.mkdtemp(prefix="keepers-"))
        at_end.callback(shutil.rmtree, folder, ignore_errors=True)
        if args.garage:
            garage = GarageServer(args.garage.resolve(), folder / "garage")
            at_end.callback(garage.stop)
            os.environ.update(garage.environment())
        bench = Bench(args.keepers.resolve(), None, folder, at_end)
        check(bench, Service(args.store))
    return 0


if __name__ == "__main__":
    sys.exit(main())

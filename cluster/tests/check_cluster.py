"""Runs games on a real Ray cluster with a real S3 server, on the loopback interface, with faults. See scripts/check-cluster.

    check_cluster.py [--quick] [--folders] [--repeat N] KEEPERS S3S_FS [WORD...]

Runs the checks whose names contain one of the words, or all, or with `--quick` some. With `--folders`, stores are folders,
and checks that need the S3 server are left out. Prints `N passed, M failed`.
"""

from __future__ import annotations

import argparse
import inspect
import shutil
import signal
import sys
import tempfile
import time
import traceback
from contextlib import ExitStack
from pathlib import Path
from typing import Callable

sys.path.insert(0, str(Path(__file__).parent))
import check_faults
import check_inputs
import check_network
import check_objects
import check_schedulers
import check_solves
from bench import Bench

MODULES = (check_solves, check_faults, check_network, check_objects, check_inputs, check_schedulers)
# A part that takes a minute or two.
QUICK = (
    check_solves.check_toy_is_identical,
    check_faults.check_killed_worker,
    check_objects.check_flipped_bit,
    check_inputs.check_unknown_rules,
    check_schedulers.check_slurm_script,
    check_schedulers.check_kubernetes_script,
    check_schedulers.check_autoscaler_file,
)


def chosen(words: list[str], quick: bool, folders: bool) -> list[Callable[[Bench], str | None]]:
    """Returns the checks to run, in the order in which they are written."""
    found = []
    for module in MODULES:
        for name, check in vars(module).items():
            if name.startswith("check_") and inspect.isfunction(check):
                needs_s3 = module is check_network or getattr(check, "needs_s3", False)
                is_named = any(word in name for word in words) if words else not quick or check in QUICK
                if is_named and not (folders and needs_s3):
                    found.append(check)
    return found


def run(bench: Bench, checks: list[Callable[[Bench], str | None]]) -> tuple[int, int]:
    """Runs checks. Returns how many passed and failed."""
    passed = failed = 0
    for check in checks:
        started = time.monotonic()
        title = check.__name__.removeprefix("check_").replace("_", " ")
        try:
            found = check(bench)
        except Exception:  # every failure is reported, and the other checks run
            failed += 1
            print(f"FAILED {title}\n{traceback.format_exc()}", flush=True)
        else:
            passed += 1
            print(f"ok {title} ({time.monotonic() - started:.1f} s){f': {found}' if found else ''}", flush=True)
    return passed, failed


def main() -> int:
    """Starts the services, runs the checks, and ends everything."""
    parser = argparse.ArgumentParser(description="Check the two-player solver on a Ray cluster.")
    parser.add_argument("--quick", action="store_true", help="only some checks")
    parser.add_argument("--folders", action="store_true", help="stores are folders, without an S3 server")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="run the checks N times [default: 1]")
    parser.add_argument("--keep", action="store_true", help="keep the folder with all stores and logs")
    parser.add_argument("keepers", type=Path)
    parser.add_argument("s3s_fs", metavar="S3S_FS")
    parser.add_argument("words", nargs="*", metavar="WORD")
    args = parser.parse_intermixed_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    passed = failed = 0
    with ExitStack() as at_end:
        # Paths of sockets must be short, so the folder cannot be in target/.
        folder = Path(tempfile.mkdtemp(prefix="keepers-"))
        if args.keep:
            print(f"everything is kept in {folder}", flush=True)
        else:
            at_end.callback(shutil.rmtree, folder, ignore_errors=True)
        s3s_fs = None if args.folders else Path(args.s3s_fs).resolve()
        bench = Bench(args.keepers.resolve(), s3s_fs, folder, at_end)
        for _ in range(args.repeat):
            more = run(bench, chosen(args.words, args.quick, args.folders))
            passed, failed = passed + more[0], failed + more[1]
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

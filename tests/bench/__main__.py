"""Measure the dashboard group by group, and write the figures to docs/bench.md (`make bench`).

    python -m tests.bench [--quick] [--file FILE] [viewers] [fleet] [screen] [flow] [pages] [processes] [jobs] [ledger]
                         [scale]

Without names it measures all groups but the last, which takes some minutes, and writes the file. `--quick` uses small
numbers, to test the measurement itself; it writes to `--file` only.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench import fleet, flow, jobs, ledger, pages, scale, screen, viewers
from tests.bench.office import Office
from tests.bench.tables import Table, machine

_FILE = Path(__file__).parents[2] / "docs" / "bench.md"
_PAGE = """# How fast it is

Written by `make bench` itself; nothing is asserted. Everything but the service is real: servers as processes, SQLite
with `synchronous=FULL`, the local replica answering at once in a process of its own. All of it is on one machine: the
replica, the simulated viewers and the browser take their part of the same cores.

{machine}; the run took {took}.{small}

{tables}
"""

_SMALL_NUMBERS = """

**These are the small numbers of `--quick`:** fewer rounds, shorter watching, a tenth of the large ledger."""

Group = Callable[[Path, bool], list[Table]]
GROUPS: dict[str, Group] = {
    "pages": lambda folder, quick: pages.measure(Office(folder), creations=3 if quick else 15),
    "processes": lambda folder, quick: pages.measure_processes(
        Office(folder), seconds=5 if quick else 30, starts=1 if quick else 3
    ),
    "screen": lambda folder, quick: screen.measure(Office(folder), payments=5 if quick else 9),
    "flow": lambda folder, quick: flow.measure(Office(folder), rounds=3 if quick else 11),
    "viewers": lambda folder, quick: viewers.measure(Office(folder), 20 if quick else 60),
    "fleet": lambda folder, quick: fleet.measure(Office(folder), 20 if quick else 60),
    "jobs": lambda folder, quick: jobs.measure(folder, 200 if quick else 5000),
    "ledger": lambda folder, quick: ledger.measure(folder, 10_000 if quick else 100_000),
    "scale": lambda folder, quick: scale.measure(folder, 10_000 if quick else 1_000_000),
}
#: Measured only when it is named: a million links take long, and 3 GB of memory.
_NAMED = {"scale"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description="Measure the dashboard, group by group.")
    parser.add_argument(
        "groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}; without one all but {', '.join(_NAMED)}"
    )
    parser.add_argument("--quick", action="store_true", help="small numbers, to test the measurement itself")
    parser.add_argument("--file", type=Path, help="where to write the figures; a whole run goes to docs/bench.md")
    arguments = parser.parse_args()
    if unknown := set(arguments.groups) - GROUPS.keys():
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")
    # A signal raises like any error, so that the processes are stopped.
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, lambda *_: sys.exit(1))
    began, described = time.monotonic(), machine()
    print(f"{described}\n", flush=True)
    tables: list[Table] = []
    for name in arguments.groups or [name for name in GROUPS if name not in _NAMED]:
        with tempfile.TemporaryDirectory(prefix="challan-bench-") as folder:
            measured = GROUPS[name](Path(folder), arguments.quick)
        for table in measured:
            print(table, flush=True)
        tables += measured
    seconds = round(time.monotonic() - began)
    file = arguments.file or (None if arguments.groups or arguments.quick else _FILE)
    if file is not None:
        took = f"{seconds // 60} min {seconds % 60} s, load after {os.getloadavg()[0]:.1f}"
        small = _SMALL_NUMBERS if arguments.quick else ""
        text = _PAGE.format(machine=described, took=took, small=small, tables="\n".join(map(str, tables)).rstrip())
        file.write_text(text, encoding="utf-8")
        print(f"Written to {file}.")


if __name__ == "__main__":
    main()

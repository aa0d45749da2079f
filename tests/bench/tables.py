"""Format the figures as tables in Markdown, and describe the machine."""

from __future__ import annotations

import os
import platform
import sqlite3
import statistics
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter


@dataclass
class Table:
    """The figures of one group. `aim` is the limit that a figure should not exceed (or reach), or empty."""

    title: str
    how: str
    head: tuple[str, ...] = ("figure", "measured", "aim")
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, *cells: str) -> None:
        self.rows.append(cells + ("",) * (len(self.head) - len(cells)))

    def __str__(self) -> str:
        lines = [self.head, ("---",) * len(self.head), *self.rows]
        how = f"{self.how}\n\n" if self.how else ""
        return f"## {self.title}\n\n{how}" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def ms(seconds: float) -> str:
    """Format a duration in milliseconds, with a decimal only for short ones."""
    value = seconds * 1000
    return f"{value:,.1f} ms" if value < 100 else f"{value:,.0f} ms"


def share(values: Sequence[float], part: float) -> float:
    """Return the quantile of the values: this part of them is below it."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def timed(work: Callable[[], object], *, most: int = 40, least: int = 5, seconds: float = 2.0) -> float:
    """Return the median duration of several runs, in seconds, after one that does not count."""
    work()
    spans: list[float] = []
    began = perf_counter()
    while len(spans) < most and (len(spans) < least or perf_counter() - began < seconds):
        start = perf_counter()
        work()
        spans.append(perf_counter() - start)
    return statistics.median(spans)


def machine() -> str:
    """Describe the machine, the time and the version, with the machine's load before the run."""
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    facts = (
        f"{cores} cores of {_processor()}, {memory:.0f} GB",
        f"{platform.system()} on {platform.machine()}",
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}",
        f"{datetime.now(UTC):%d %b %Y, %H:%M} UTC, commit {_commit()}, load before {os.getloadavg()[0]:.1f}",
    )
    return "; ".join(facts)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "an unknown processor"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "an unknown processor"


def _commit() -> str:
    try:
        asked = ["git", "describe", "--always", "--dirty", "--abbrev=8"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"

"""Report a run under `make faults`: a table in the terminal and, when nothing failed, in a file.

Tests add their counts through the `figures` fixture; this plugin collects those of all processes of a run. Load it with
`-p tests.faults.report`.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

_COMMAND = "make faults"
_RUN = pytest.StashKey["_Run"]()

#: The words for the counts in the table; other names follow these, unchanged.
_WORDS = {
    "cases": "cases",
    "kills": "processes killed",
    "posts": "POSTs to create a link",
    "links": "links made",
    "most_posts": "most POSTs for one request",
    "duplicates": "duplicate links",
    "lost": "links lost",
    "false_words": "false words",
    "stuck": "requests stuck",
    "others": "other violations",
    "restarts": "databases restarted",
    "repeated_searches": "repeated searches",
    "most_repeated": "most searches repeated after a kill or restart",
}


class _Run:
    def __init__(self) -> None:
        self.started = time.monotonic()
        self.parts: dict[str, dict[str, int]] = {}

    def add(self, part: str, counts: Mapping[str, int]) -> None:
        """Add the counts of a case; take the maximum of counts whose name begins with "most"."""
        own = self.parts.setdefault(part, {})
        for name, count in counts.items():
            own[name] = max(own.get(name, 0), count) if name.startswith("most") else own.get(name, 0) + count

    def table(self) -> str:
        """Return the counts as a table in Markdown, with a column for each part of the proof."""
        names = [*_WORDS, *sorted({name for own in self.parts.values() for name in own} - _WORDS.keys())]
        columns = sorted(self.parts)
        rows = [["", *columns], ["---"] * (len(columns) + 1)]
        for name in names:
            if any(name in own for own in self.parts.values()):
                figures = [f"{own[name]:,}" if name in (own := self.parts[column]) else "–" for column in columns]
                rows.append([_WORDS.get(name, name.replace("_", " ")), *figures])
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)

    def circumstances(self) -> str:
        seconds = round(time.monotonic() - self.started)
        cores = len(os.sched_getaffinity(0))
        what = f"{platform.system()} on {platform.machine()}, {cores} cores, Python {platform.python_version()}"
        return f"`{_COMMAND}`, {datetime.now(UTC):%d %b %Y, %H:%M} UTC: {seconds // 60} min {seconds % 60} s on {what}."


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--faults-report", metavar="FILE", help="write the figures of a run without failures to this file")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.stash[_RUN] = _Run()
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Collector(config.stash[_RUN]))


class _Collector:
    def __init__(self, run: _Run) -> None:
        self._run = run

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            for name, figures in report.user_properties:
                if name == "figures":
                    self._run.add(*figures)


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    run = config.stash[_RUN]
    if not run.parts:
        return
    table, circumstances = run.table(), run.circumstances()
    terminalreporter.section("figures")
    terminalreporter.write_line(table)
    terminalreporter.write_line(circumstances)
    file = config.getoption("--faults-report")
    if file and exitstatus == 0:
        Path(file).write_text(_PAGE.format(circumstances=circumstances, table=table), encoding="utf-8")


_PAGE = """# The last run of the fault tests

The run itself writes this, and only when nothing failed. {circumstances}

{table}

A case is one click in a process of its own, killed at a failpoint under one behaviour of the service. Then people read
every page, workers go on while time moves (one of them may be killed too), the same form is sent again, and a colleague
clicks on what can be paid by then. At the end an oracle compares the replica's truth, our database and every word that
was shown. Some cases add clocks that differ between hosts or step, a process that stands still and goes on, and slow
answers that overlap.

A storm is about twenty seconds of clicks by many people on a few vehicles: at the same moment, twice, again later. Web
processes and workers are killed and stopped meanwhile, their hosts' clocks are off and step, the service misbehaves in
every way that the assumptions allow, links end and appear from elsewhere, and time moves on. `python -m
tests.faults.storm` runs it alone.

A run of the fleet is searched by ten lanes at a time (`DASHBOARD_FLEET_SEARCHES_IN_FLIGHT`). Each kill of a worker and
each restart of the database repeats at most the searches that were in flight at that moment, because their answers were
not recorded. The tests count them after each kill and each restart, and fail where there are more.
"""

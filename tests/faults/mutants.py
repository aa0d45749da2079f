"""Weaken the product in one place at a time, and check that a test notices: `python -m tests.faults.mutants`.

Each mutant is a copy of the project with one exact change, and a few tests of which one has to fail in it. The copy
without a change passes them all. A mutant whose text has changed, or whose tests were removed, counts as an error.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.faults.mutations import MUTANTS, Mutant

PROJECT = Path(__file__).parents[2]
#: The files and folders of the project that the tests need.
_PARTS = ("dashboard", "templates", "static", "tests", "pyproject.toml")
#: Plugins that these tests do not use, and that take seconds to load.
_WITHOUT = ("playwright", "schemathesis", "cacheprovider", "base_url")
#: Loaded first, to check that the tests import the copy and not the installed package.
_ONLY_THE_COPY = """
from pathlib import Path

import dashboard

assert Path(dashboard.__file__).is_relative_to({folder!r}), f"{{dashboard.__file__}} is imported, and not the copy"
"""
_LONGEST_SECONDS = 240
#: Matches a failed test and its reason, but no error in a fixture or an import, which proves nothing.
_FAILED = re.compile(r"^FAILED (\S+?)(?: - (.*))?$", re.M)
_BROKEN = re.compile(r"^ERROR |(?:Import|ModuleNotFound|Syntax|Name|Attribute|Type)Error", re.M)


class Outdated(Exception):
    """Raised when a mutant no longer fits the project."""


@dataclass(frozen=True)
class Outcome:
    """Hold the result of a run; `caught_by` is the failed test with its reason, or None when all passed."""

    caught_by: str | None
    seconds: float


@contextmanager
def copied() -> Iterator[Path]:
    """Yield a copy of the project that imports its own package."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as name:
        folder = Path(name)
        for part in _PARTS:
            if (source := PROJECT / part).is_dir():
                shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copyfile(source, folder / part)
        (folder / "only_the_copy.py").write_text(_ONLY_THE_COPY.format(folder=name), encoding="utf-8")
        yield folder


def weakened(mutant: Mutant, folder: Path) -> str:
    """Return the mutant's file with its one change. Raises Outdated unless the file has the old text exactly once."""
    text = (folder / mutant.file).read_text(encoding="utf-8")
    if (count := text.count(mutant.old)) != 1:
        raise Outdated(f"{mutant.name}: its text is {count} times in {mutant.file}, not once")
    return text.replace(mutant.old, mutant.new)


def run(tests: Sequence[str], folder: Path) -> Outcome:
    """Run tests against a copy until one fails. Raises Outdated when they cannot be run, or fail of themselves."""
    without = [part for name in _WITHOUT for part in ("-p", f"no:{name}")]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "--tb=line",
        "--show-capture=no",
        "-p",
        "only_the_copy",
        *without,
        *tests,
    ]
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "240"}
    started = time.monotonic()
    done = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, timeout=_LONGEST_SECONDS, check=False
    )
    seconds = time.monotonic() - started
    if done.returncode == 0:
        return Outcome(None, seconds)
    failed = _FAILED.search(done.stdout)
    if done.returncode != 1 or failed is None or _BROKEN.search(done.stdout):
        raise Outdated(f"{' '.join(tests)} could not be run:\n{done.stdout[-4000:]}{done.stderr[-2000:]}")
    return Outcome(f"{failed[1]} ({failed[2]})" if failed[2] else failed[1], seconds)


def examine(mutant: Mutant, tests: Sequence[str] = ()) -> Outcome:
    """Weaken a copy and run the tests that should fail."""
    with copied() as folder:
        (folder / mutant.file).write_text(weakened(mutant, folder), encoding="utf-8")
        return run(tests or mutant.proofs, folder)


def _unchanged(tests: Sequence[str]) -> Outcome:
    with copied() as folder:
        return run(tests, folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table; return 1 when a mutant survives or no longer fits, or when the project itself fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="words in the names of the mutants to examine; all without")
    parser.add_argument("--with", dest="tests", action="append", default=[], help="these tests in place of theirs")
    chosen = parser.parse_args(arguments)
    mutants = [item for item in MUTANTS if not chosen.names or any(word in item.name for word in chosen.names)]
    started = time.monotonic()
    survivors = 0
    tests = chosen.tests or list(dict.fromkeys(test for item in mutants for test in item.proofs))
    print("| mutant | caught by | seconds |\n| --- | --- | --- |", flush=True)
    try:
        with ThreadPoolExecutor(os.cpu_count()) as at_once:
            unchanged = at_once.submit(_unchanged, tests)
            examined = [(mutant, at_once.submit(examine, mutant, chosen.tests)) for mutant in mutants]
            whole = unchanged.result()
            print(f"| (none) | {whole.caught_by or 'nothing, as it must be'} | {whole.seconds:.1f} |", flush=True)
            survivors += whole.caught_by is not None
            for mutant, outcome in examined:
                found = outcome.result()
                survivors += found.caught_by is None
                print(f"| {mutant.name} | {found.caught_by or 'NOTHING'} | {found.seconds:.1f} |", flush=True)
    except Outdated as rotten:
        print(f"\n{rotten}", file=sys.stderr)
        return 1
    print(f"\n{len(mutants)} mutants in {time.monotonic() - started:.0f} s, {survivors or 'none'} not as it should be")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())

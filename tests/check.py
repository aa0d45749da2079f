"""Check what has changed, in under a minute: `python -m tests.check`, which `make check` runs.

What has changed is what differs from the branch `main`, or from the last commit on `main` itself. Checked are the style
and the types of everything, the rules and the unit tests, and the tests of the nouns and parts that changed files
belong to, without a browser and on SQLite alone. `make test` proves the rest.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

PROJECT = Path(__file__).parents[1]
#: Layers that are divided by noun; the tests mirror the first three.
_LAYERS = ("web", "services", "store")
_ALWAYS = ("tests/rules", "tests/unit")
#: Parts of the package that have a folder of tests, by the folder's name.
_PARTS = ("background", "replica", "upstream")
_SLOW = "not e2e and not faults"


def changed_files() -> list[str]:
    """Return the paths that differ from `main`, and those that git does not know yet."""
    base = next((found for name in ("origin/main", "main") if (found := _git("merge-base", "HEAD", name))), ["HEAD"])
    return [*_git("diff", "--name-only", base[0]), *_git("ls-files", "--others", "--exclude-standard")]


def folders_for(changed: Iterable[str]) -> list[str]:
    """Return the folders and modules of tests to run for changed files, by their paths below the project."""
    wanted = set(_ALWAYS)
    for path in map(PurePosixPath, changed):
        match path.parts:
            case ("dashboard" | "tests", layer, noun, _) if layer in _LAYERS:
                wanted |= {f"tests/{each}/{noun}" for each in _LAYERS}
            case ("templates", noun, _) | ("static", "css", "components" | "lazy", noun):
                wanted.add(f"tests/web/{PurePosixPath(noun).stem}")
            case ("dashboard" | "tests", part, *_) if part in _PARTS:
                wanted.add(f"tests/{part}")
        if path.parts[0] == "tests" and path.name.startswith("test_"):
            wanted.add(str(path))
    there = {name for name in wanted if (PROJECT / name).exists()}
    return sorted(name for name in there if not any(str(folder) in there for folder in PurePosixPath(name).parents))


def main(arguments: list[str]) -> int:
    """Run every check, whatever the others found; returns 1 when one of them failed."""
    changed = changed_files()
    templates = [name for name in changed if name.endswith(".html") and (PROJECT / name).exists()]
    programs = Path(sys.executable).parent
    workers = str(len(os.sched_getaffinity(0)))
    commands = [
        [str(programs / "ruff"), "check", "."],
        [str(programs / "ruff"), "format", "--check", "."],
        [str(programs / "mypy")],
        *([[str(programs / "djlint"), *templates, "--lint", "--quiet"]] if templates else []),
        [
            *(sys.executable, "-m", "pytest", "-q", "-n", workers),
            *("-m", _SLOW, "-k", "not postgresql", *arguments, *folders_for(changed)),
        ],
    ]
    failed = 0
    for command in commands:
        print("$", Path(command[0]).name, *command[1:], flush=True)
        failed += subprocess.run(command, cwd=PROJECT, check=False).returncode != 0
    return 1 if failed else 0


def _git(*arguments: str) -> list[str]:
    """Return the lines of an answer of git; none when it does not understand."""
    done = subprocess.run(["git", *arguments], cwd=PROJECT, check=False, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

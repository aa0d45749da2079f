"""Test the layout of the container: another user, a tree that cannot be written, a data folder and a temporary one."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bench.clerk import Clerk
from tests.bench.office import answers
from tests.support.documents import ROOT
from tests.support.people import PASSWORD

DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")


@pytest.fixture
def root() -> Iterator[Path]:
    """Return a folder that other users may enter, which pytest's own is not."""
    folder = Path(tempfile.mkdtemp(prefix="container-"))
    folder.chmod(0o755)
    yield folder
    subprocess.run(["chmod", "-R", "u+w", str(folder)], check=True)
    shutil.rmtree(folder)


#: Root without its capabilities obeys the permissions of files as anybody else does.
WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]


class Unprivileged:
    """Run processes without the rights of root: as nobody, or where nobody may not run this Python, without rights."""

    def __init__(self, tree: Path) -> None:
        self.cwd = tree
        self.prefix: list[str] = []
        self.who: dict[str, Any] = {}
        if os.geteuid() != 0:
            return
        nobody = pwd.getpwnam("nobody")
        self.who = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        if self._can_import():
            return
        self.prefix, self.who = WITHOUT_RIGHTS, {}
        if not shutil.which("setpriv"):
            pytest.skip("nobody may not read the libraries of this checkout, and setpriv is not installed")

    def _can_import(self) -> bool:
        try:
            return self.run(["-c", "import flask"], {}).returncode == 0
        except PermissionError:
            return False

    def run(self, arguments: list[str], environ: dict[str, str], given: str = "") -> subprocess.CompletedProcess[str]:
        command = [*self.prefix, sys.executable, *arguments]
        return subprocess.run(
            command, check=False, capture_output=True, text=True, input=given, env=environ, cwd=self.cwd, **self.who
        )

    def owns(self, folder: Path) -> None:
        folder.mkdir(mode=0o700)
        if self.who:
            os.chown(folder, self.who["user"], self.who["group"])


@pytest.fixture
def tree(root: Path) -> Path:
    """Unpack the wheel that the image installs, and take the right to write from everybody."""
    made = root / "made"
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet", "-w", str(made)]
    subprocess.run([*command, str(ROOT)], check=True, capture_output=True)
    [wheel] = made.glob("*.whl")
    tree = root / "opt"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tree)
    shutil.rmtree(made)
    (tree / "healthcheck.py").write_bytes((ROOT / "deploy" / "healthcheck.py").read_bytes())
    subprocess.run(["chmod", "-R", "a-w,a+rX", str(tree)], check=True)
    return tree


def files(tree: Path) -> dict[Path, tuple[int, int]]:
    return {file: (file.stat().st_mtime_ns, file.stat().st_size) for file in tree.rglob("*")}


def test_a_clerk_works_on_a_tree_that_cannot_be_written(
    root: Path, tree: Path, command_environ: dict[str, str], asha: list[str], walk: Callable[..., Clerk]
) -> None:
    somebody, url = Unprivileged(tree), f"http://{command_environ['DASHBOARD_LISTEN']}"
    data, temporary = root / "data", root / "tmp"
    somebody.owns(data)
    somebody.owns(temporary)
    environ = {
        **command_environ,
        "DASHBOARD_DATA_DIR": str(data),
        "TMPDIR": str(temporary),
        "HOME": "/nonexistent",
        "PYTHONPATH": str(tree),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONSAFEPATH": "1",
    }
    before = files(tree)
    tried = somebody.run(["-c", "import dashboard; print(dashboard.__file__); open('written', 'w')"], environ)
    assert tried.stdout.startswith(str(tree))
    assert "PermissionError" in tried.stderr
    done = somebody.run(["-m", "dashboard", *asha], environ, f"{PASSWORD}\n")
    assert done.returncode == 0, done.stderr
    check = [str(tree / "healthcheck.py")]
    output = root / "output"
    with output.open("w") as said:
        command = [*somebody.prefix, sys.executable, "-m", "dashboard", "serve"]
        serving = subprocess.Popen(command, env=environ, cwd=tree, stdout=said, stderr=said, **somebody.who)
        try:
            answers(f"{url}/readyz", serving)
            walk(url)
            assert somebody.run(check, environ).returncode == 0
        finally:
            serving.send_signal(signal.SIGTERM)
            ended = serving.wait(90)
    assert ended == 0
    assert "Traceback" not in output.read_text()
    assert somebody.run(check, environ).returncode == 1
    assert files(tree) == before
    assert (data / "dashboard.db").exists()
    assert list(temporary.iterdir()) == [], "nothing is left behind"


def test_the_image_runs_what_is_locked_as_another_user_with_a_health_check() -> None:
    stages = re.findall(r"^FROM (\S+)( AS build)?$", DOCKERFILE, re.M)
    assert stages == [("python:3.11-slim", " AS build"), ("python:3.11-slim", "")]
    assert "--require-hashes --only-binary :all: -r requirements.lock" in DOCKERFILE
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER 10001:10001$", last, re.M)
    assert re.search(r"^HEALTHCHECK .*deploy|/opt/dashboard/healthcheck\.py", last, re.M)
    assert "pip install" not in last


def test_the_image_is_built_from_nothing_but_files_that_exist() -> None:
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    named = {source for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.M) for source in line.split()}
    assert {f"!{name}" for name in named} == {line for line in allowed if line.startswith("!")}
    assert all((ROOT / name).exists() for name in named)

"""Test the layout of the container: another user, a tree that cannot be written, a data folder and a temporary one.

No container engine is needed: what the Dockerfile says is done in a folder, by its own commands. The libraries are
those of this checkout, which the same lock file has.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.bench.office import answers
from tests.conftest import ServedReplica
from tests.deploy.conftest import RC
from tests.deploy.dockerfile import DATA, TREE, stages
from tests.e2e.steps import Desk, Driver
from tests.support.documents import ROOT
from tests.support.people import ASHA, PASSWORD

BUILD, LAST = stages()
#: Root without its capabilities obeys the permissions of files as anybody else does.
WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]


@pytest.fixture
def root() -> Iterator[Path]:
    """Return a folder that other users may enter, which pytest's own is not."""
    folder = Path(tempfile.mkdtemp(prefix="container-"))
    folder.chmod(0o755)
    yield folder
    subprocess.run(["chmod", "-R", "u+w", str(folder)], check=True)
    shutil.rmtree(folder)


class Unprivileged:
    """Run processes without the rights of root: as the user of the image, or without rights where that user may not
    read the libraries of this checkout.
    """

    def __init__(self, cwd: Path) -> None:
        self.cwd = cwd
        self.prefix: list[str] = []
        self.who: dict[str, Any] = {}
        if os.geteuid() != 0:
            return
        user, group = LAST.user
        self.who = {"user": user, "group": group, "extra_groups": []}
        if self._can_import():
            return
        self.prefix, self.who = WITHOUT_RIGHTS, {}
        if not shutil.which("setpriv"):
            pytest.skip("another user may not read the libraries of this checkout, and setpriv is not installed")

    def _can_import(self) -> bool:
        try:
            return self.run([sys.executable, "-c", "import flask"], {}).returncode == 0
        except PermissionError:
            return False

    def run(self, command: list[str], environ: dict[str, str], given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.prefix, *command],
            check=False,
            capture_output=True,
            text=True,
            input=given,
            env=environ,
            cwd=self.cwd,
            **self.who,
        )

    def owns(self, folder: Path) -> None:
        folder.mkdir(mode=0o700)
        if self.who:
            os.chown(folder, self.who["user"], self.who["group"])


@pytest.fixture
def tree(root: Path) -> Path:
    """Build what the image holds, by the commands of the Dockerfile, and take the right to write from everybody."""
    source, tree = root / "source", root / "opt"
    copied = [(name, source / name) for names, _ in BUILD.copies for name in names]
    copied += [(name, Path(to.replace(TREE, str(tree)))) for names, to in LAST.copies for name in names]
    for name, to in copied:
        to.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, to)
    [options] = [options for options in BUILD.runs(f"{TREE}/bin/pip") if options[-1] == "."]
    install = [sys.executable, "-m", "pip", *options[:-1], "--quiet", "--target", str(tree), "."]
    subprocess.run(install, check=True, capture_output=True, cwd=source)
    [compiling] = BUILD.runs(f"{TREE}/bin/python")
    subprocess.run([sys.executable, *compiling[:-1], str(tree)], check=True, capture_output=True)
    shutil.rmtree(source)
    subprocess.run(["chmod", "-R", "a-w,a+rX", str(tree)], check=True)
    return tree


def in_tree(command: list[str], tree: Path) -> list[str]:
    """Return a command of the image as it runs here: the programs of the image stand in its tree."""
    program, *arguments = command
    found = sys.executable if program == "python" else str(tree / "bin" / program)
    return [found, *(each.replace(TREE, str(tree)) for each in arguments)]


def files(tree: Path) -> dict[Path, tuple[int, int]]:
    return {file: (file.stat().st_mtime_ns, file.stat().st_size) for file in tree.rglob("*")}


@pytest.mark.e2e
def test_staff_work_in_a_browser_while_the_tree_cannot_be_written(
    root: Path,
    tree: Path,
    command_environ: dict[str, str],
    vehicle: None,
    replica: ServedReplica,
    page: Page,
) -> None:
    somebody, url = Unprivileged(root), f"http://{command_environ['DASHBOARD_LISTEN']}"
    data, temporary = root / "data", root / "tmp"
    somebody.owns(data)
    somebody.owns(temporary)
    somebody.cwd = Path(LAST.one("WORKDIR").replace(DATA, str(data)))
    environ = {
        **LAST.environ,
        **command_environ,  # It listens on loopback: cookies without TLS are refused elsewhere.
        "DASHBOARD_DATA_DIR": LAST.environ["DASHBOARD_DATA_DIR"].replace(DATA, str(data)),
        "PATH": os.defpath,
        "TMPDIR": str(temporary),
        "HOME": "/nonexistent",
        "PYTHONPATH": str(tree),
        "PYTHONSAFEPATH": "1",
    }
    before = files(tree)
    where = f"import dashboard; print(dashboard.__file__); open({str(tree / 'written')!r}, 'w')"
    tried = somebody.run([sys.executable, "-c", where], environ)
    assert tried.stdout.startswith(str(tree))
    assert "PermissionError" in tried.stderr
    adding = ["user", "add", ASHA.email, "--name", ASHA.name, "--role", ASHA.role.value, "--password-stdin"]
    done = somebody.run(in_tree([LAST.command[0], *adding], tree), environ, f"{PASSWORD}\n")
    assert done.returncode == 0, done.stderr
    check, output = in_tree(LAST.health_check, tree), root / "output"
    with output.open("w") as said:
        command = [*somebody.prefix, *in_tree(LAST.command, tree)]
        serving = subprocess.Popen(command, env=environ, cwd=somebody.cwd, stdout=said, stderr=said, **somebody.who)
        try:
            answers(f"{url}/readyz", serving)
            assert somebody.run(check, environ).returncode == 0
            desk = Desk(page, url)
            desk.signs_in()
            link_id = desk.creates_a_link(RC)
            assert replica.levers.link(link_id)["status"] == "ACTIVE"
            driver = Driver(page.context.new_page())
            driver.opens(desk.payment_url())
            driver.pays_by_upi()
            desk.sees_status("PAID")
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
    assert [stage.base for stage in (BUILD, LAST)] == ["python:3.11-slim AS build", "python:3.11-slim"]
    locked = [options for options in BUILD.runs(f"{TREE}/bin/pip") if options[-1] == "requirements.lock"]
    assert [{"--require-hashes", "--only-binary"} <= set(options) for options in locked] == [True]
    assert 0 not in LAST.user
    assert str(LAST.user[0]) in LAST.one("RUN"), "the user of the image is made there"
    assert LAST.health_check[1] in [to for _, to in LAST.copies]
    assert not LAST.runs("pip")
    assert LAST.environ["DASHBOARD_DATA_DIR"] == LAST.one("VOLUME") == DATA


def test_the_image_is_built_from_nothing_but_files_that_exist() -> None:
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    named = {name for stage in (BUILD, LAST) for names, _ in stage.copies for name in names}
    assert {f"!{name}" for name in named} == {line for line in allowed if line.startswith("!")}
    assert all((ROOT / name).exists() for name in named)

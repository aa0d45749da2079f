"""Test the units of systemd: well formed, with commands that exist, and closed to the rest of the machine."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dashboard.cli import main
from dashboard.server import _GRACEFUL_SECONDS
from tests.support.documents import ROOT

UNITS = ROOT / "deploy" / "systemd"
PROGRAM = "/opt/challan-dashboard/bin/dashboard"
NAMES = sorted(file.name for file in UNITS.glob("*.service"))


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """Copy the units, with a program that exists on this machine."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed on this machine")
    folder = tmp_path / "units"
    shutil.copytree(UNITS, folder)
    for file in folder.glob("*.service"):
        file.write_text(file.read_text(encoding="utf-8").replace(PROGRAM, "/bin/true"), encoding="utf-8")
    return folder


def analyze(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "SYSTEMD_UNIT_PATH": f"{folder}:"}
    return subprocess.run(
        ["systemd-analyze", *arguments], check=False, env=environ, capture_output=True, text=True, timeout=120
    )


def test_systemd_finds_nothing_wrong_with_the_units(units: Path) -> None:
    done = analyze(units, "verify", *(str(units / name) for name in NAMES))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", NAMES)
def test_a_unit_is_closed_to_the_rest_of_the_machine(units: Path, name: str) -> None:
    done = analyze(units, "security", "--offline=true", "--threshold=20", "--no-pager", str(units / name))
    assert done.returncode == 0, done.stdout[-300:]


@pytest.mark.parametrize("name", NAMES)
def test_a_unit_runs_a_command_with_options_that_it_has(name: str) -> None:
    unit = configparser.ConfigParser(strict=False)
    unit.read(UNITS / name)
    program, command, *options = unit["Service"]["ExecStart"].split()
    assert program == PROGRAM
    with main.commands[command].make_context(command, list(options)):
        pass


def test_a_stop_is_given_longer_than_the_server_needs() -> None:
    text = (UNITS / "challan-dashboard-.service.d" / "hardened.conf").read_text(encoding="utf-8")
    [seconds] = re.findall(r"^TimeoutStopSec=(\d+)$", text, re.M)
    assert int(seconds) > _GRACEFUL_SECONDS

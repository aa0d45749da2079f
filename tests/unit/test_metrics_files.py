"""Where the processes of a machine pin up what they counted: a place for each, and nothing of those that are gone."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from prometheus_client.metrics_core import CounterMetricFamily, Metric

from dashboard.metrics import Metrics
from dashboard.metrics.process_files import Board
from dashboard.services.container import Services
from tests.support.figures import Figures


def counted(number: float) -> list[Metric]:
    family = CounterMetricFamily("calls", "Calls.", labels=("group",))
    family.add_metric(("search",), number)
    return [family]


def seen(board: Board) -> dict[str, float]:
    """What the board tells of each process."""
    return {name: families[0].samples[0].value for name, families in board.read().items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "metrics"


@pytest.fixture
def boards(folder: Path) -> Iterator[list[Board]]:
    """The boards as two web processes and a worker see it."""
    joined = [Board.join(folder, kind) for kind in ("web", "web", "worker")]
    yield joined
    for board in joined:
        board.leave()


def test_each_process_has_a_place_of_its_own(boards: list[Board]) -> None:
    assert [board.name for board in boards] == ["web-1", "web-2", "worker-1"]


def test_whoever_is_asked_tells_what_all_have_counted(boards: list[Board]) -> None:
    for number, board in enumerate(boards):
        board.pin_up(counted(number))
    boards[0].pin_up(counted(7))
    for board in boards:
        assert seen(board) == {"web-1": 7, "web-2": 1, "worker-1": 2}
    read = boards[1].read()["worker-1"][0]
    assert (read.name, read.documentation, read.type) == ("calls", "Calls.", "counter")
    assert read.samples[0].name == "calls_total"
    assert read.samples[0].labels == {"group": "search"}


def test_who_leaves_takes_its_sheet_along_and_gives_its_place_up(folder: Path) -> None:
    first, second = Board.join(folder, "web"), Board.join(folder, "web")
    first.pin_up(counted(1))
    second.pin_up(counted(2))
    first.leave()
    assert seen(second) == {"web-2": 2}
    third = Board.join(folder, "web")
    assert third.name == "web-1"
    second.leave()
    third.leave()


def test_a_sheet_that_is_not_renewed_is_believed_no_more(boards: list[Board], folder: Path) -> None:
    for board in boards:
        board.pin_up(counted(1))
    old = time.time() - 31
    os.utime(folder / "web-2.json", (old, old))
    assert seen(boards[0]).keys() == {"web-1", "worker-1"}


@pytest.mark.parametrize("content", ["", "{", "[[1]]", '[["a", "b", "counter", [["a", {}]]]]', "\x00"])
def test_a_sheet_that_cannot_be_read_hides_no_other(boards: list[Board], folder: Path, content: str) -> None:
    boards[0].pin_up(counted(1))
    (folder / "web-2.json").write_text(content)
    assert seen(boards[0]) == {"web-1": 1}


def test_nobody_else_may_look_into_the_folder(boards: list[Board], folder: Path) -> None:
    assert folder.stat().st_mode & 0o077 == 0


# Where the disk refuses


@pytest.fixture
def services(app: Flask) -> Services:
    found: Services = app.extensions["services"]
    return found


def told(metrics: Metrics, services: Services) -> Figures:
    return Figures(metrics.text(services).decode())


def test_a_process_without_a_folder_tells_what_it_counted_itself(
    services: Services, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    metrics = Metrics.of_process(tmp_path / "file", "web")
    metrics.start()
    metrics.request_served("home.index", 200, 0.1)
    figures = told(metrics, services)
    metrics.stop()
    assert figures.value("dashboard_requests_total", endpoint="home.index", status="2xx", process="app") == 1
    assert "stay its own" in caplog.text


def test_a_disk_that_refuses_a_sheet_is_told_once_and_hides_nothing(
    services: Services, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    neighbour = Board.join(folder, "worker")
    neighbour.pin_up(counted(3))
    metrics = Metrics.of_process(folder, "web")
    (folder / "web-1.part").mkdir()  # Nothing can be written there, whoever runs this.
    for number in (1, 2):
        metrics.request_served("home.index", 200, 0.1)
        figures = told(metrics, services)
        assert figures.value("dashboard_requests_total", endpoint="home.index", process="web-1") == number
        assert figures.value("calls_total", process="worker-1") == 3
    assert [line.levelno for line in caplog.records if "cannot be shared" in line.message] == [logging.WARNING]
    (folder / "web-1.part").rmdir()
    told(metrics, services)
    assert neighbour.read().keys() == {"web-1", "worker-1"}
    metrics.stop()
    neighbour.leave()

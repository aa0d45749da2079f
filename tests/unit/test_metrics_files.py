"""Test the files by which a machine's processes share their metrics: one for each process that runs."""

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
from dashboard.metrics.process_files import ProcessFile
from dashboard.services.container import Services
from tests.support.metrics_page import MetricsPage


def counted(number: float) -> list[Metric]:
    family = CounterMetricFamily("calls", "Calls.", labels=("group",))
    family.add_metric(("search",), number)
    return [family]


def calls(file: ProcessFile) -> dict[str, float]:
    """Return the value of each process."""
    return {name: families[0].samples[0].value for name, families in file.read_all().items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "metrics"


@pytest.fixture
def files(folder: Path) -> Iterator[list[ProcessFile]]:
    """Yield the metrics files of two web processes and a worker."""
    reserved = [ProcessFile.reserve(folder, kind) for kind in ("web", "web", "worker")]
    yield reserved
    for file in reserved:
        file.remove()


def test_each_process_has_a_name_of_its_own(files: list[ProcessFile]) -> None:
    assert [file.name for file in files] == ["web-1", "web-2", "worker-1"]


def test_each_process_reads_the_metrics_of_all(files: list[ProcessFile]) -> None:
    for number, file in enumerate(files):
        file.write(counted(number))
    files[0].write(counted(7))
    for file in files:
        assert calls(file) == {"web-1": 7, "web-2": 1, "worker-1": 2}
    read = files[1].read_all()["worker-1"][0]
    assert (read.name, read.documentation, read.type) == ("calls", "Calls.", "counter")
    assert read.samples[0].name == "calls_total"
    assert read.samples[0].labels == {"group": "search"}


def test_the_name_of_a_process_that_ended_is_free_again_and_its_file_gone(folder: Path) -> None:
    first, second = ProcessFile.reserve(folder, "web"), ProcessFile.reserve(folder, "web")
    first.write(counted(1))
    second.write(counted(2))
    first.remove()
    assert calls(second) == {"web-2": 2}
    third = ProcessFile.reserve(folder, "web")
    assert third.name == "web-1"
    second.remove()
    third.remove()


def test_a_file_that_is_no_longer_written_does_not_count(files: list[ProcessFile], folder: Path) -> None:
    for file in files:
        file.write(counted(1))
    old = time.time() - 31
    os.utime(folder / "web-2.json", (old, old))
    assert calls(files[0]).keys() == {"web-1", "worker-1"}


@pytest.mark.parametrize("content", ["", "{", "[[1]]", '[["a", "b", "counter", [["a", {}]]]]', "\x00"])
def test_a_file_that_cannot_be_read_hides_no_other(files: list[ProcessFile], folder: Path, content: str) -> None:
    files[0].write(counted(1))
    (folder / "web-2.json").write_text(content)
    assert calls(files[0]) == {"web-1": 1}


def test_nobody_else_may_read_the_folder(files: list[ProcessFile], folder: Path) -> None:
    assert folder.stat().st_mode & 0o077 == 0


# Where the disk refuses


@pytest.fixture
def services(app: Flask) -> Services:
    found: Services = app.extensions["services"]
    return found


def exposed(metrics: Metrics, services: Services) -> MetricsPage:
    return MetricsPage(metrics.text(services).decode())


def test_a_process_without_a_folder_exposes_its_own_metrics(
    services: Services, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    metrics = Metrics.of_process(tmp_path / "file", "web")
    metrics.start()
    metrics.request_served("home.index", 200, 0.1)
    figures = exposed(metrics, services)
    metrics.stop()
    assert figures.value("dashboard_requests_total", endpoint="home.index", status="2xx", process="app") == 1
    assert "stay its own" in caplog.text


def test_a_disk_that_refuses_is_logged_once_and_hides_nothing(
    services: Services, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    neighbour = ProcessFile.reserve(folder, "worker")
    neighbour.write(counted(3))
    metrics = Metrics.of_process(folder, "web")
    (folder / "web-1.part").mkdir()  # Not even root can write there.
    for number in (1, 2):
        metrics.request_served("home.index", 200, 0.1)
        figures = exposed(metrics, services)
        assert figures.value("dashboard_requests_total", endpoint="home.index", process="web-1") == number
        assert figures.value("calls_total", process="worker-1") == 3
    assert [line.levelno for line in caplog.records if "cannot be shared" in line.message] == [logging.WARNING]
    (folder / "web-1.part").rmdir()
    exposed(metrics, services)
    assert neighbour.read_all().keys() == {"web-1", "worker-1"}
    metrics.stop()
    neighbour.remove()

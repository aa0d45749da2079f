"""The text that `/metrics` answers, and the thread that shares this process's metrics with the others."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from pathlib import Path

from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from dashboard.metrics.process_files import WRITE_EVERY, ProcessFile
from dashboard.metrics.process_metrics import ProcessMetrics
from dashboard.metrics.store_metrics import store_metrics
from dashboard.services.container import Services

log = logging.getLogger(__name__)


class Metrics:
    """What this process counts and, with a file to share, what the others of its machine count."""

    content_type = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self, file: ProcessFile | None = None) -> None:
        self._own = ProcessMetrics()
        self._file = file
        self._writes = True
        self._writing = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._keep_writing, name="metrics", daemon=True)
        self.call_made = self._own.call_made
        self.request_served = self._own.request_served

    @classmethod
    def of_process(cls, folder: Path, kind: str) -> Metrics:
        """Create the metrics of a process ("web", "worker", …) that shares a folder with others, after its fork."""
        try:
            return cls(ProcessFile.reserve(folder, kind))
        except OSError as error:
            log.warning("the metrics of this process stay its own: %s cannot be used (%s)", folder, error.strerror)
            return cls()

    def text(self, services: Services) -> bytes:
        """Render all metrics in the format of `content_type`."""
        # Written before the others are read: no counter may fall when another process is scraped next.
        own = self._write()
        others = self._file.read_all() if self._file else {}
        name = self._file.name if self._file else "app"
        return generate_latest(_Given([*_by_process({**others, name: own}), *store_metrics(services)]))

    def start(self) -> None:
        """Begin to share what this process counts, when it has a file."""
        if self._file:
            self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(WRITE_EVERY)
        if self._file:
            self._file.remove()

    def _keep_writing(self) -> None:
        self._write()
        while not self._stopped.wait(WRITE_EVERY):
            self._write()

    def _write(self) -> list[Metric]:
        """Write and return what this process has counted. A disk that refuses is logged once until it accepts again."""
        with self._writing:
            own = self._own.collect()
            try:
                if self._file:
                    self._file.write(own)
                self._writes = True
            except OSError as error:
                if self._writes:
                    log.warning("the metrics of this process cannot be shared: %s", error.strerror)
                self._writes = False
            return own


class _Given(Collector):
    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


def _by_process(metrics: dict[str, list[Metric]]) -> Iterable[Metric]:
    """Merge the families of one name, with the process as a further label."""
    merged: dict[str, Metric] = {}
    for process, families in metrics.items():
        for family in families:
            whole = merged.setdefault(family.name, Metric(family.name, family.documentation, family.type))
            for sample in family.samples:
                whole.add_sample(sample.name, {**sample.labels, "process": process}, sample.value)
    return merged.values()

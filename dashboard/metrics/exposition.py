"""The page of figures, and the thread that keeps this process's sheet on the board fresh."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from dashboard.metrics.process_files import RENEWED_EVERY, Board
from dashboard.metrics.process_metrics import Counts
from dashboard.metrics.store_metrics import figures
from dashboard.services.container import Services

log = logging.getLogger(__name__)


class Metrics:
    """What this process counts and, with a board, what its neighbours do."""

    content_type = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self, board: Board | None = None) -> None:
        self._counts = Counts()
        self._board = board
        self._pinned = True
        self._pinning = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._keep_fresh, name="metrics", daemon=True)
        self.call_made = self._counts.call_made
        self.request_served = self._counts.request_served

    @classmethod
    def of_process(cls, folder: Path, kind: str) -> Metrics:
        """For a process of a kind ("web", "worker", …) that shares a folder with others; made after it has forked."""
        try:
            return cls(Board.join(folder, kind))
        except OSError as error:
            log.warning("the figures of this process stay its own: %s cannot be used (%s)", folder, error.strerror)
            return cls()

    def text(self, services: Services) -> bytes:
        """Everything there is to tell, in the format of `content_type`."""
        sheets = {}
        name, pinned = "app", False
        if self._board:
            # Its own sheet first, then all: whichever process is asked next tells no less of this one.
            name, pinned = self._board.name, self._pin_up(self._board)
            sheets = self._board.read()
        if not pinned or name not in sheets:
            sheets[name] = list(self._counts.collect())
        return generate_latest(_Given([*_by_process(sheets), *figures(services)]))

    def start(self) -> None:
        """Begin to keep the sheet fresh; nothing without a board."""
        if self._board:
            self._thread.start()

    def stop(self) -> None:
        """Leave the board."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(RENEWED_EVERY)
        if self._board:
            self._board.leave()

    def _keep_fresh(self) -> None:
        assert self._board is not None
        while True:
            self._pin_up(self._board)
            if self._stopped.wait(RENEWED_EVERY):
                return

    def _pin_up(self, board: Board) -> bool:
        """False when the disk refuses, which is said once until it takes a sheet again."""
        with self._pinning:
            try:
                board.pin_up(self._counts.collect())
            except OSError as error:
                if self._pinned:
                    log.warning("the figures of this process cannot be shared: %s", error.strerror)
                self._pinned = False
            else:
                self._pinned = True
            return self._pinned


class _Given(Collector):
    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


def _by_process(sheets: dict[str, list[Metric]]) -> Iterator[Metric]:
    """One family of each name, its series told apart by their process."""
    families: dict[str, Metric] = {}
    for process, sheet in sheets.items():
        for family in sheet:
            whole = families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
            for sample in family.samples:
                whole.add_sample(sample.name, {**sample.labels, "process": process}, sample.value)
    yield from families.values()

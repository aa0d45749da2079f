"""Files in which the processes of one machine share what they count, for whichever of them is scraped.

A process reserves a name, such as `web-2`, by a lock that ends with it. The next process of its kind takes the name
over and counts from zero, which Prometheus treats as a restart.
"""

from __future__ import annotations

import fcntl
import json
import logging
import time
from collections.abc import Iterable
from io import TextIOWrapper
from itertools import count
from pathlib import Path

from prometheus_client.metrics_core import Metric
from prometheus_client.samples import Sample

log = logging.getLogger(__name__)

#: How often a process writes its file, and for how long a file counts, in seconds.
WRITE_EVERY = 5.0
_VALID_FOR = 30.0


class ProcessFile:
    """The file of this process, and the way to those of the others."""

    def __init__(self, path: Path, lock: TextIOWrapper) -> None:
        self._path = path
        self._lock = lock
        self.name = path.stem

    @classmethod
    def reserve(cls, folder: Path, kind: str) -> ProcessFile:
        """Reserve the first free name of a kind. Raises OSError when the folder cannot be used."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for number in count(1):
            path = folder / f"{kind}-{number}.json"
            lock = path.with_suffix(".lock").open("a", encoding="ascii")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                lock.close()
                if not isinstance(error, BlockingIOError):
                    raise
            else:
                return cls(path, lock)
        raise AssertionError("unreachable: the numbers do not end")

    def write(self, families: Iterable[Metric]) -> None:
        """Replace the file as a whole. Raises OSError when the disk refuses."""
        content = [
            [each.name, each.documentation, each.type, [sample[:3] for sample in each.samples]] for each in families
        ]
        unfinished = self._path.with_suffix(".part")
        unfinished.write_text(json.dumps(content), encoding="ascii")
        unfinished.replace(self._path)

    def read_all(self) -> dict[str, list[Metric]]:
        """Return the metrics of every process that still writes its file, by the name of the process."""
        oldest = time.time() - _VALID_FOR
        found = {}
        for path in sorted(self._path.parent.glob("*.json")):
            try:
                if path.stat().st_mtime >= oldest:
                    found[path.stem] = [_family(*each) for each in json.loads(path.read_text(encoding="ascii"))]
            except FileNotFoundError:
                continue  # Its process has just ended.
            except (OSError, ValueError, TypeError):
                log.exception("the metrics file %s cannot be read", path.name)
        return found

    def remove(self) -> None:
        """Remove the file and give the name up."""
        try:
            self._path.unlink(missing_ok=True)
        except OSError:
            log.warning("the metrics file %s cannot be removed", self._path.name)
        finally:
            self._lock.close()


def _family(name: str, documentation: str, kind: str, samples: list[tuple[str, dict[str, str], float]]) -> Metric:
    family = Metric(name, documentation, kind)
    family.samples = [Sample(sample, labels, value) for sample, labels, value in samples]
    return family

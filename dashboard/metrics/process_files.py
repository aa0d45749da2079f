"""Where the processes of one machine pin up what they have counted, for whichever of them is asked.

Each holds a place with a name, such as `web-2`, by a lock that ends with it; the next process of its kind takes the
place over and counts from nought, which Prometheus knows as a restart. A sheet is written as a whole and then put in
place, and one that has not been renewed for a while is nobody's any more.
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

log = logging.getLogger(__name__)

#: How often a process renews its sheet, and how long a sheet is believed, in seconds.
RENEWED_EVERY = 5.0
_BELIEVED_FOR = 30.0


class Board:
    def __init__(self, folder: Path, name: str, place: TextIOWrapper) -> None:
        self._folder = folder
        self.name = name
        self._place = place

    @classmethod
    def join(cls, folder: Path, kind: str) -> Board:
        """Take the first free place of a kind. Raises OSError when the folder cannot be used."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for number in count(1):
            name = f"{kind}-{number}"
            place = (folder / f"{name}.lock").open("a", encoding="ascii")
            try:
                fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                place.close()
            except OSError:
                place.close()
                raise
            else:
                return cls(folder, name, place)
        raise AssertionError("unreachable: the numbers do not end")

    def pin_up(self, families: Iterable[Metric]) -> None:
        """Renew this process's sheet. Raises OSError when the disk refuses."""
        unfinished = self._folder / f"{self.name}.part"
        unfinished.write_text(json.dumps([_written(family) for family in families]), encoding="ascii")
        unfinished.replace(self._sheet(self.name))

    def read(self) -> dict[str, list[Metric]]:
        """What stands on every sheet that is believed, by the name of its process."""
        oldest = time.time() - _BELIEVED_FOR
        found = {}
        for sheet in sorted(self._folder.glob("*.json")):
            try:
                if sheet.stat().st_mtime >= oldest:
                    found[sheet.stem] = [_read(family) for family in json.loads(sheet.read_text(encoding="ascii"))]
            except FileNotFoundError:
                continue  # Its process has just left.
            except (OSError, ValueError, TypeError):
                log.exception("the sheet %s cannot be read", sheet.name)
        return found

    def leave(self) -> None:
        """Take the sheet down and give the place up."""
        try:
            self._sheet(self.name).unlink(missing_ok=True)
        except OSError:
            log.warning("the sheet of %s cannot be taken down", self.name)
        finally:
            self._place.close()

    def _sheet(self, name: str) -> Path:
        return self._folder / f"{name}.json"


def _written(family: Metric) -> list[object]:
    samples = [[sample.name, sample.labels, sample.value] for sample in family.samples]
    return [family.name, family.documentation, family.type, samples]


def _read(written: list[object]) -> Metric:
    name, documentation, kind, samples = written
    family = Metric(str(name), str(documentation), str(kind))
    for sample_name, labels, value in samples:  # type: ignore[attr-defined]
        family.add_sample(sample_name, labels, value)
    return family

"""Store the ids of created links on disk while the database refuses to record them (link-creation.md, step 5).

Each link has a file, synced before the browser is answered. It holds ids and a moment, never the secret nor the text of
an answer. A file is removed once its link is recorded; recording a link twice changes nothing.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

log = logging.getLogger(__name__)

#: Seconds after which an unfinished file was left by a process that is gone; writing one takes a moment.
_UNFINISHED_FOR = 600


@dataclass(frozen=True, slots=True)
class UnrecordedLink:
    """Name a created link by its id, with the intent that created it and when the answer came (aware UTC)."""

    intent_id: str
    link_id: str
    answered_at: datetime


@dataclass(frozen=True)
class UnrecordedLinks:
    folder: Path
    #: The files that could not be read and are logged, each with the time of its last change.
    _logged: dict[str, float] = field(default_factory=dict)

    def put(self, entry: UnrecordedLink) -> None:
        """Write an entry so that a power cut cannot lose it. Raises OSError when the disk refuses as well."""
        if not self.folder.is_dir():
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            _sync(self.folder.parent)
        unfinished = self._file(entry).with_suffix(".part")
        try:
            with unfinished.open("w", encoding="utf-8") as file:
                json.dump(asdict(entry) | {"answered_at": entry.answered_at.isoformat()}, file)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(self._file(entry))
        except OSError:  # A full disk leaves an empty file, which nobody would ever read.
            with suppress(OSError):
                unfinished.unlink()
            raise
        _sync(self.folder)

    def entries(self) -> Iterator[UnrecordedLink]:
        """Return the links to record. A file that cannot be read stays where it is, and is logged.

        Unfinished files that a killed process left are removed: a search finds their links.
        """
        for unfinished in self.folder.glob("*.part"):
            with suppress(OSError):
                if time.time() - unfinished.stat().st_mtime > _UNFINISHED_FOR:
                    unfinished.unlink()
        for file in sorted(self.folder.glob("*.json")):
            try:
                written = json.loads(file.read_text(encoding="utf-8"))
                yield UnrecordedLink(
                    str(written["intent_id"]), str(written["link_id"]), datetime.fromisoformat(written["answered_at"])
                )
            except FileNotFoundError:
                continue  # Another process has just recorded it.
            except (OSError, ValueError, KeyError, TypeError):
                self._log_unreadable(file)

    def count(self) -> int:
        """Count the files, those that cannot be read included."""
        return sum(1 for _ in self.folder.glob("*.json"))

    def remove(self, entry: UnrecordedLink) -> None:
        self._file(entry).unlink(missing_ok=True)

    def _file(self, entry: UnrecordedLink) -> Path:
        return self.folder / f"{entry.intent_id}.json"

    def _log_unreadable(self, file: Path) -> None:
        """Log a file once, and again after it has changed: it is read at every turn of the watcher."""
        try:
            changed = file.stat().st_mtime
        except OSError:
            changed = 0.0
        if self._logged.get(file.name) != changed:
            self._logged[file.name] = changed
            log.exception("the spooled record %s cannot be read; it stays on disk", file.name)


def _sync(folder: Path) -> None:
    """Make the entries of a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

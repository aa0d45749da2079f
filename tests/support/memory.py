"""Keep the files of tests in memory, where a commit waits for no disk."""

from __future__ import annotations

import os

_FOLDER = "/dev/shm"
#: In bytes, and far more than a run takes: the folder of a test that passed is removed at once.
_FREE = 2 * 1024**3


def keep_files_in_memory() -> None:
    """Have pytest put its temporary folders into memory where there is room, and programs may be run from there.

    A killed process loses nothing that it wrote to a file in memory; only a crash of the machine would.
    """
    try:
        system = os.statvfs(_FOLDER)
    except (AttributeError, FileNotFoundError):  # Windows, macOS
        return
    if system.f_bavail * system.f_frsize >= _FREE and not system.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", _FOLDER)

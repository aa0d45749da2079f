"""Have the C library give freed memory back to the system, and Python look for garbage less often."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress

#: The names that glibc's `mallopt` gives them are M_MMAP_THRESHOLD and M_ARENA_MAX.
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8


def give_freed_memory_back() -> None:
    """Bound what this process and its children keep of freed memory. Does nothing where the C library is not glibc.

    Hashing a password takes 19 MiB in whichever thread asks for it. glibc learns that blocks of this size are freed
    soon, and from then on keeps such a block in each of up to eight heaps a core: hundreds of MB for nothing.
    """
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(_MMAP_THRESHOLD, 1 << 20)  # A value of our own also ends the learning.
        library.mallopt(_ARENA_MAX, 2)


def look_for_garbage_less_often() -> None:
    """Let 50,000 objects be made, instead of 700, between two searches for those that refer to each other.

    A start makes many objects and no garbage: it takes three quarters of the time so.
    """
    gc.set_threshold(50_000)


def leave_what_stays_out() -> None:
    """Leave all objects that exist now, as those of modules, out of every search: each went over them for 0.2 s."""
    gc.collect()
    gc.freeze()

"""Have the C library give freed memory back to the system, and Python collect garbage less often."""

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


def collect_garbage_less_often() -> None:
    """Run the garbage collector after 50,000 new objects instead of 700.

    A start creates many objects and no garbage: without the collector it takes three quarters of the time.
    """
    gc.set_threshold(50_000)


def freeze_objects() -> None:
    """Exempt the objects that exist now, such as modules, from the garbage collector: it took 0.2 s to scan them."""
    gc.collect()
    gc.freeze()

"""Bound how many passwords are hashed at once: each takes a core for a while, and 19 MiB."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Busy(Exception):
    """Report that too many are signing in at this moment; nothing was verified and nothing counted."""


class HashingPlaces:
    """Hand out `places` places to hash; `waiting` may wait for one, `patience` seconds each, and more raise Busy.

    Whoever is known (by a browser or an address that has signed in before) waits in a queue of their own, and one place
    is for them alone: a flood of strangers keeps none of them out.
    """

    def __init__(self, places: int = 0, *, waiting: int = 24, patience: float = 5.0) -> None:
        self.places = places or 2 * (os.cpu_count() or 1)
        self.waiting = waiting
        self.patience = patience
        self._changed = threading.Condition()
        self._hashing = {True: 0, False: 0}
        self._queued = {True: 0, False: 0}

    @contextmanager
    def place(self, *, known: bool = True) -> Iterator[None]:
        """Wait for a place and hold it. Raises Busy."""
        with self._changed:
            self._enter(known)
        try:
            yield
        finally:
            with self._changed:
                self._hashing[known] -= 1
                self._changed.notify_all()

    def _enter(self, known: bool) -> None:
        if not self._is_free(known):
            if self._queued[known] >= self.waiting:
                raise Busy
            self._queued[known] += 1
            try:
                if not self._changed.wait_for(lambda: self._is_free(known), self.patience):
                    raise Busy
            finally:
                self._queued[known] -= 1
        self._hashing[known] += 1

    def _is_free(self, known: bool) -> bool:
        strangers = self._hashing[False]
        return strangers + self._hashing[True] < self.places and (known or strangers < max(1, self.places - 1))

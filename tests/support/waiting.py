"""Wait until something is so."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic


def until(happens: Callable[[], object], never: str = "it has not happened", *, seconds: float = 40) -> None:
    """Ask again and again whether it `happens`; fail with the words `never` when it does not within the time."""
    pause, end = threading.Event(), monotonic() + seconds
    while not happens():
        assert monotonic() < end, never
        pause.wait(0.01)

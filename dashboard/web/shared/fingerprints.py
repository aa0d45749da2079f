"""Short marks of what was told, for pages to send back and to compare with."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def digest(told: Sequence[object]) -> str:
    """A short mark of what a region told, for the next poll to send back as `seen`."""
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]

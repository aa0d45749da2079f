"""Fingerprint what a region shows, so that the next poll can tell whether it changed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def fingerprint(shown: Sequence[object]) -> str:
    """Return a short hash of what a region shows; the next poll sends it back as `seen`."""
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]

"""Fingerprint the content of a region or a form, so that a later request can detect a change."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def fingerprint(shown: Sequence[object]) -> str:
    """Return a short hash of what is shown; a poll sends it back as `seen`, a form in its basis."""
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]

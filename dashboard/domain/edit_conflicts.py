"""Detect that another person saved a record while a form for it was open (optimistic locking)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from dashboard.domain.fingerprints import fingerprint

#: The fields of a form by name, as they are stored; an empty one is None.
Fields = Mapping[str, str | None]


class EditConflict(Exception):
    """Report that others saved other values since the form was opened; `stored` are those values."""

    def __init__(self, stored: Fields, opened_at: datetime) -> None:
        super().__init__()
        self.stored = stored
        self.opened_at = opened_at


@dataclass(frozen=True, slots=True)
class Basis:
    """Hold when a form was opened and the fingerprint of its fields. The form carries it as text."""

    opened_at: datetime
    fingerprint: str

    @classmethod
    def of(cls, stored: Fields, now: datetime) -> Basis:
        """Return the basis of a form that shows these fields from now on."""
        return cls(now, _fingerprint(stored))

    @classmethod
    def parse(cls, text: str) -> Basis | None:
        """Read the text of a basis; None when it is none."""
        seconds, _, shown = text.partition("-")
        try:
            return cls(datetime.fromtimestamp(int(seconds), UTC), shown)
        except (ValueError, OverflowError, OSError):
            return None

    def __str__(self) -> str:
        return f"{int(self.opened_at.timestamp())}-{self.fingerprint}"


def require_unchanged(basis: Basis | None, stored: Fields, typed: Fields) -> None:
    """Raise EditConflict when others saved other values than `typed` since the form was opened.

    Call it in the transaction that saves. A form without a basis is always accepted.
    """
    if basis is None or basis.fingerprint == _fingerprint(stored):
        return
    if any(typed[name] != value for name, value in stored.items()):
        raise EditConflict(stored, basis.opened_at)


def _fingerprint(stored: Fields) -> str:
    return fingerprint(sorted(stored.items()))

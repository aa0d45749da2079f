"""Detect that another person saved a record while a form for it was open (optimistic locking)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from dashboard.domain.fingerprints import fingerprint

#: The fields of a form by name, as they are stored; an empty one is None.
Fields = Mapping[str, str | None]


class EditConflict(Exception):
    """Report that others saved other values since the form was opened; `stored` are those values.

    `changed` names the fields that others changed, and `untouched` those that were sent as the form was opened on them,
    so that the others' values can stay.
    """

    def __init__(
        self, stored: Fields, opened_at: datetime, changed: Collection[str], untouched: Collection[str]
    ) -> None:
        super().__init__()
        self.stored = stored
        self.opened_at = opened_at
        self.changed = frozenset(changed)
        self.untouched = frozenset(untouched)


@dataclass(frozen=True, slots=True)
class Basis:
    """Hold when a form was opened and a fingerprint of each of its fields. The form carries it as text."""

    opened_at: datetime
    fingerprints: tuple[str, ...]  # in the order of the names of the fields

    @classmethod
    def of(cls, stored: Fields, now: datetime) -> Basis:
        """Return the basis of a form that shows these fields from now on."""
        return cls(now, _fingerprints(stored))

    @classmethod
    def parse(cls, text: str) -> Basis | None:
        """Read the text of a basis; None when it is none."""
        seconds, _, shown = text.partition("-")
        try:
            return cls(datetime.fromtimestamp(int(seconds), UTC), tuple(shown.split(".")))
        except (ValueError, OverflowError, OSError):
            return None

    def __str__(self) -> str:
        return f"{int(self.opened_at.timestamp())}-{'.'.join(self.fingerprints)}"


def require_unchanged(basis: Basis | None, stored: Fields, typed: Fields) -> None:
    """Raise EditConflict when others saved other values than `typed` since the form was opened.

    Call it in the transaction that saves. A form without a basis is always accepted.
    """
    if basis is None or basis.fingerprints == _fingerprints(stored):
        return
    if any(typed[name] != value for name, value in stored.items()):
        # A form that an earlier release drew has one fingerprint: all of it counts as changed by both.
        shown = dict(zip(sorted(stored), basis.fingerprints, strict=False))
        changed = {name for name, value in stored.items() if _fingerprint(value) != shown.get(name)}
        untouched = {name for name in stored if _fingerprint(typed[name]) == shown.get(name)}
        raise EditConflict(stored, basis.opened_at, changed, untouched)


def _fingerprints(stored: Fields) -> tuple[str, ...]:
    return tuple(_fingerprint(stored[name]) for name in sorted(stored))


def _fingerprint(value: str | None) -> str:
    return fingerprint([value])

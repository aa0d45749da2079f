"""Define what the templates of sign-in and of saved forms receive."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SavedFormPage:
    """A saved form. `subject` and its `address` are what it is about, or None when that does not exist yet; `shown` are
    the fields that people fill, by their labels; `fields` are all of them, by name.
    """

    key: str
    title: str
    subject: str | None
    address: str | None
    shown: tuple[tuple[str, str], ...]
    fields: tuple[tuple[str, str], ...]

"""Save the fields of a form whose session has expired, until its person has signed in again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.services.schedule import Clock
from dashboard.store.accounts import saved_forms
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.engine import Store

_MOST_FIELDS, _MOST_CHARACTERS = 3000, 1_200_000


@dataclass(frozen=True)
class SavedForms:
    store: Store
    clock: Clock

    def save(
        self, endpoint: str, view_args: Mapping[str, str], fields: Sequence[tuple[str, str]], person_id: int | None
    ) -> str | None:
        """Save a form and return its key; None when it is too large. `person_id` is None for an unknown sender."""
        size = sum(len(name) + len(value) for name, value in fields)
        if len(fields) > _MOST_FIELDS or size > _MOST_CHARACTERS:
            return None
        with self.store.write() as connection:
            return saved_forms.save(
                connection, self.clock(), person_id=person_id, endpoint=endpoint, view_args=view_args, fields=fields
            )

    def find(self, key: str, person_id: int) -> SavedForm | None:
        """Return the form saved under a key, unless it has expired or belongs to another person."""
        with self.store.read() as connection:
            return saved_forms.find(connection, key, person_id, self.clock())

    def take(self, key: str, person_id: int) -> SavedForm | None:
        """Return the form as `find` does, and delete it: it can be taken once."""
        with self.store.write() as connection:
            return saved_forms.take(connection, key, person_id, self.clock())

"""Define the custom fields, which staff fill for a link or a vehicle for their own books.

A field of a link overrides the same field of its vehicle. Values are passed as mappings from a field's name to its
text; a field that is empty is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CustomField:
    """Define a custom field. `name` is that of its column, of its form field and of its part of a filter's address.

    `label` is its name in files, which are not translated; pages translate it. A filter matches the whole text of a
    field, or any part of a `is_free_text` field.
    """

    name: str
    label: str
    max_length: int
    is_free_text: bool = False


COST_CENTRE = CustomField("cost_centre", "Cost centre", 60)
#: Every custom field, in the order of forms, filters and exports. Another one needs its label among those of
#: pages, and a migration.
CUSTOM_FIELDS = (
    COST_CENTRE,
    CustomField("trip", "Trip", 60),
    CustomField("customer", "Customer to recharge", 100),
    CustomField("note", "Note", 500, is_free_text=True),
)


def in_full(values: Mapping[str, str]) -> dict[str, str | None]:
    """Return every field by name, the empty ones as None."""
    return {field.name: values.get(field.name) for field in CUSTOM_FIELDS}

"""Validate the details of a driver. Only the dashboard knows drivers, never the service."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.domain.edit_conflicts import Fields
from dashboard.domain.registration import spaced

#: The greatest lengths of the fields, in characters.
MAX_NAME, MAX_PHONE, MAX_EMAIL, MAX_NOTE = 100, 20, 254, 500


@dataclass(frozen=True, slots=True)
class DriverDetails:
    """Hold a driver as entered in the form: `language` is a code of LANGUAGES, `vehicles` are normalized RC numbers."""

    name: str
    phone: str | None  # as typed
    email: str | None
    language: str
    note: str | None
    vehicles: tuple[str, ...] = ()

    def completed_by(self, listed: DriverDetails) -> DriverDetails:
        """Return these details with what a file lists: an empty cell removes nothing, vehicles are added."""
        return DriverDetails(
            name=listed.name,
            phone=self.phone or listed.phone,
            email=listed.email or self.email,
            language=listed.language or self.language,
            note=listed.note or self.note,
            vehicles=tuple(dict.fromkeys((*self.vehicles, *listed.vehicles))),
        )

    def may_be_called(self, name: str) -> bool:
        """Tell whether a name may still be this driver's: the first words are alike, or one shortens the other."""
        (mine, theirs) = (_first_word(each) for each in (self.name, name))
        return mine.startswith(theirs) or theirs.startswith(mine)

    def fields(self) -> Fields:
        """Return the fields of the form that shows these details."""
        return {
            "name": self.name,
            "phone": self.phone,
            "email": self.email,
            "language": self.language,
            "note": self.note,
            "vehicles": ", ".join(spaced(rc) for rc in sorted(set(self.vehicles))) or None,
        }


def _first_word(name: str) -> str:
    return next(iter(name.casefold().replace(".", " ").split()), "")

"""The two lookup lists that a first search needs (sections 2.1 and 2.2)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class City:
    """A location of the organization; `id` is what a search takes as `cityId`."""

    id: str
    name: str
    state_name: str
    state_code: str
    address: str | None = None
    landmark: str | None = None
    zip_code: str | None = None
    building_name: str | None = None

    @property
    def label(self) -> str:
        """City, state and address label, so that equal names can be told apart."""
        label = self.address or self.building_name or self.landmark
        return ", ".join(part for part in (self.name, self.state_name, label) if part)


@dataclass(frozen=True, slots=True)
class RcType:
    value: str
    label: str

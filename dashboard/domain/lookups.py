"""Define the entries of the two lists that a first search needs (sections 2.1 and 2.2)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class City:
    """Hold a location of the organization; `id` is the `cityId` of a search."""

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
        """Return city, state, address and postal code, so that cities of the same name differ."""
        label = self.address or self.building_name or self.landmark
        return ", ".join(part for part in (self.name, self.state_name, label, self.zip_code) if part)


@dataclass(frozen=True, slots=True)
class RcType:
    """Hold an RC type; `value` is the `rcType` of a search."""

    value: str
    label: str

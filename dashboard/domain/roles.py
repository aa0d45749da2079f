"""Name the roles of people, from the least to the most powerful."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """Order the roles: each may do all that the roles before it may do. The value is stored, and shown to people."""

    STAFF = "staff"
    MANAGER = "manager"
    ADMIN = "admin"

    def may(self, least: Role) -> bool:
        """Return whether this role is at least the role `least`."""
        order = tuple(Role)
        return order.index(self) >= order.index(least)

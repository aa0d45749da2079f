"""Define the limits of the stored fields of a person."""

from __future__ import annotations

#: Characters.
MAX_EMAIL, MAX_NAME = 254, 100

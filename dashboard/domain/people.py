"""Define the limits of the stored fields of a person."""

from __future__ import annotations

#: Characters. A subject of an identity provider stands with its issuer.
MAX_EMAIL, MAX_NAME, MAX_SUBJECT = 254, 100, 512

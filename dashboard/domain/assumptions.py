"""Name what came of checking an assumption of docs/link-creation.md."""

from __future__ import annotations

from enum import StrEnum

#: The greatest length of what a person writes about a check.
MAX_CHECK_NOTE = 500


class AssumptionOutcome(StrEnum):
    HOLDS = "holds"
    FAILS = "fails"
    UNCLEAR = "unclear"

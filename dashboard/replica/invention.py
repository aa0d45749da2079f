"""Invent challans for any vehicle from its number: the same number always has the same history."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

from dashboard.replica import clock
from dashboard.replica.vocabulary import OFFENCES, PLACES, STATES, STATUSES, TYPES

MOST_INVENTED = 12
TWO_YEARS = 730


def state_code(rc: str) -> str:
    # The BH series and invented plates name no state; those vehicles belong to Maharashtra.
    return rc[:2] if rc[:2] in STATES else "MH"


def dice(rc: str) -> random.Random:
    return random.Random(f"challans of {rc}")  # noqa: S311 - believable, not secret


def invent(rc: str, now: datetime) -> list[dict[str, Any]]:
    roll = dice(rc)
    return [invent_one(rc, roll, now) for _ in range(roll.randint(0, MOST_INVENTED))]


def invent_one(rc: str, roll: random.Random, now: datetime, **given: Any) -> dict[str, Any]:
    """Invent one challan with the given fields, and the others at random."""
    code = state_code(rc)
    if roll.random() < 0.15:
        code = roll.choice(list(STATES))  # fined away from home
    offence = roll.choice(OFFENCES)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    at = midnight - timedelta(days=roll.randint(1, TWO_YEARS), seconds=-roll.randint(0, 86399))
    fields = {
        "challanNo": f"{code}{roll.randint(10**9, 10**10 - 1)}",
        "status": roll.choice(STATUSES),
        "challanAmount": None if roll.random() < 0.04 else offence.paise,
        "challanDate": None if roll.random() < 0.02 else clock.stamp(at),
        "state": None if roll.random() < 0.02 else STATES[code],
        "challanType": roll.choice(TYPES),
        "challanPlace": None if roll.random() < 0.06 else roll.choice(PLACES[code]),
        "offenseDetails": None if roll.random() < 0.02 else offence.text,
    }
    return {**fields, **given}

"""The life of one request to create a link: its states, and what may be said in each (link-creation.md)."""

from __future__ import annotations

from enum import StrEnum


class IntentState(StrEnum):
    PREPARED = "PREPARED"
    SENDING = "SENDING"
    CREATED = "CREATED"
    REJECTED = "REJECTED"
    NOT_SENT = "NOT_SENT"
    UNKNOWN = "UNKNOWN"
    RECOVERED = "RECOVERED"
    ATTACHED = "ATTACHED"
    NOT_CREATED = "NOT_CREATED"
    ABANDONED = "ABANDONED"
    NEEDS_ATTENTION = "NEEDS_ATTENTION"


#: Only in these may people read that no link was created (I6).
NOTHING_CREATED = frozenset(
    {IntentState.NOT_SENT, IntentState.REJECTED, IntentState.NOT_CREATED, IntentState.ABANDONED}
)

#: A look may still find something out; after the verdict of absence, a link that was committed late.
LOOKED_AT = frozenset({IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION, IntentState.NOT_CREATED})

#: A link is known: ours, or one that holds some of the challans.
LINK_KNOWN = frozenset({IntentState.CREATED, IntentState.RECOVERED, IntentState.ATTACHED})

#: The outcome is still open: the claims stand, and something will happen by itself or when a person asks.
OPEN = frozenset({IntentState.PREPARED, IntentState.SENDING, IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION})

"""Define the states of an intent, and what each allows to be said (link-creation.md, "Records" and I6)."""

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

#: The send is over, and it is unclear whether it created a link.
UNCLEAR = frozenset({IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION})

#: Attempts to resolve the outcome go on; after NOT_CREATED they search for a link that was committed late.
RESOLVABLE = UNCLEAR | {IntentState.NOT_CREATED}

#: The intent created the link that its row names.
LINK_IS_OURS = frozenset({IntentState.CREATED, IntentState.RECOVERED})

#: A link is known: ours, or one that holds some of the challans.
LINK_KNOWN = LINK_IS_OURS | {IntentState.ATTACHED}

#: The claims hold, and the watcher or a person has the next step.
OPEN = UNCLEAR | {IntentState.PREPARED, IntentState.SENDING}

"""Name the actions of the audit log in the words of the pages. The log itself keeps its own words."""

from __future__ import annotations

ACTIONS = {
    "follow up": "Link added to Follow up",
    "signed in": "Signed in",
    "signed out": "Signed out",
    "sign-in failed": "Sign-in failed",
    "code refused": "Wrong code at sign-in",
    "password refused": "Wrong current password",
    "password changed": "Password changed",
    "second factor set up": "Second factor set up",
    "second factor removed": "Second factor removed",
    "second factor required": "Second factor required of",
    "recovery codes made": "New recovery codes",
    "language chosen": "Language chosen",
    "account linked": "Account of the organization linked",
    "sessions ended": "Sessions ended",
    "person added": "Person added",
    "person invited": "Person invited",
    "invitation sent": "New invitation",
    "invitation accepted": "Invitation used",
    "role changed": "Role changed",
    "person disabled": "Person disabled",
    "person enabled": "Person enabled",
    "search": "Searched",
    "refresh": "Refreshed from source",
    "create": "Asked for a payment link",
    "override": "Released challans of a request",
    "release-link": "Released challans of a link",
    "reissue": "Prepared a replacement",
    "copy": "Copied the link",
    "share": "Shared the link",
    "share undone": "Unmarked as shared",
    "snooze": "Snoozed",
    "note": "Noted a contact",
    "fields": "Changed cost centre, trip or note",
    "double-seen": "Closed a duplicate alarm",
    "finding seen": "Marked a discrepancy as checked",
    "verification asked": "Asked to verify paid links",
    "driver added": "Driver added",
    "drivers imported": "Drivers imported",
    "driver changed": "Driver changed",
    "driver left": "Driver left",
    "driver back": "Driver back",
    "driver forgotten": "Driver forgotten",
    "message changed": "Message changed",
    "message restored": "Message restored",
    "export": "Exported",
    "service tried again": "Tried the service again",
    "old entries deleted": "Deleted old audit entries",
}
NOBODY = "nobody known"
ANYBODY, ANY_ACTION = "Anybody", "Any action"
NOT_A_DAY = "Enter a day between 1970 and 9000."
HEAD = ["Number", "Time ({zone})", "Person", "Email", "Action", "Object", "Details", "Address", "Request"]


def action(name: str) -> str:
    """Return an action in words; one that is not listed as the log has it."""
    return ACTIONS.get(name, name)


def detail(values: dict[str, object]) -> str:
    """Write what an action adds, such as "role manager, challans 3"."""
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in values.items() if value not in (None, ""))

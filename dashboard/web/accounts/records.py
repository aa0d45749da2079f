"""Define what the templates of sign-in, saved forms and people receive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from dashboard.web.links.records import Choice
from dashboard.web.shared.periods import PeriodForm
from dashboard.web.shared.records import StateWords


@dataclass(frozen=True, slots=True)
class SavedFormPage:
    """A saved form. `subject` and its `address` are what it is about, or None when that does not exist yet; `shown` are
    the fields that people fill, by their labels; `fields` are all of them, by name.
    """

    key: str
    title: str
    subject: str | None
    address: str | None
    shown: tuple[tuple[str, str], ...]
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PersonCard:
    """Show a person. `last_seen` is None for somebody who never signed in."""

    id: int
    name: str
    email: str
    role: str
    state: StateWords
    last_seen: datetime | None
    second_factor: str
    lacks_factor: bool  # Their role needs one, or can do so much that they should have one.
    is_self: bool
    invites_again: bool  # Their invitation has ended unused.


@dataclass(frozen=True, slots=True)
class RoleRow:
    """Show a role: what it may do, how many people have it, and how many of them a new rule would sign out."""

    value: str
    name: str
    may: str
    people: int
    needs_factor: bool
    without: str


@dataclass(frozen=True, slots=True)
class SessionRow:
    """Show where somebody is signed in: `browser` is "Chrome on Android", say."""

    id: int
    browser: str
    user_agent: str
    address: str
    since: datetime
    last_used: datetime
    is_this: bool


@dataclass(frozen=True, slots=True)
class InvitationLink:
    """Show an invitation, once: its address is stored nowhere. `whatsapp` opens a message with it, to be sent there to
    somebody whom the administrator chooses. `is_known` of somebody who has signed in before, and sets a new password.
    """

    name: str
    address: str
    whatsapp: str
    expires_at: datetime
    is_known: bool


@dataclass(frozen=True, slots=True)
class AuditRow:
    """Show an entry of the audit log. `raw`, `raw_subject` and `raw_detail` are the action, its object and what
    it adds as the log has them.

    `leads_to` and `request` are addresses of the object and of a request, or None.
    """

    id: int
    at: datetime
    name: str
    is_known: bool  # Who did it.
    action: str
    raw: str
    subject: str
    raw_subject: str
    leads_to: str | None
    request: str | None
    detail: str
    raw_detail: str
    origin: str
    request_id: str
    is_own: bool  # about the account of whoever did it, as the action says


@dataclass(frozen=True, slots=True)
class AuditRun:
    """Show entries that one act made, such as the links of a plan, the newest first; most runs have one entry.

    `subjects` are the first object and the number of the others; `detail` is what all of the entries add.
    """

    rows: tuple[AuditRow, ...]
    action: str
    subjects: str
    detail: str

    @property
    def first(self) -> AuditRow:
        return self.rows[0]

    @property
    def begins(self) -> datetime:
        return self.rows[-1].at


@dataclass(frozen=True, slots=True)
class AuditPreset:
    words: str
    address: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Show a page of the audit log, with its filter and the addresses of the pages beside it; actions are by group."""

    days: tuple[tuple[date, tuple[AuditRun, ...]], ...]
    people: tuple[Choice, ...]
    any_action: str
    actions: tuple[tuple[str, tuple[Choice, ...]], ...]
    period: PeriodForm
    sign_ins: tuple[AuditPreset, ...]
    typed: Mapping[str, str]
    is_refused: bool
    narrows: bool
    filters: str  # what leaves out entries; "" for nothing
    kept: Mapping[str, str]
    newer: str | None
    older: str | None
    export: str
    page_size: int
    entries: str  # how many match the filter

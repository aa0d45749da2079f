"""Build the pages of people: who may sign in, and what one person may do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from urllib.parse import quote

from flask import render_template, url_for
from flask_login import current_user

from dashboard.domain.roles import Role
from dashboard.services.accounts.invitations import Invited
from dashboard.store.accounts import invitations, people, second_factors, sessions
from dashboard.store.accounts.people import Person
from dashboard.store.accounts.sessions import PlaceOfSession
from dashboard.web.accounts import texts
from dashboard.web.accounts.browsers import browser_of
from dashboard.web.accounts.current import current_people
from dashboard.web.accounts.forms import ChangeRoleForm, InvitePersonForm
from dashboard.web.accounts.records import InvitationLink, PersonCard, RoleRow, SessionRow
from dashboard.web.shared.current import current_services, format_moment, settings
from dashboard.web.shared.records import StateWords
from dashboard.web.shared.texts import role_name

_ORDER = (Role.ADMIN, Role.MANAGER, Role.STAFF)


def people_page(form: InvitePersonForm, invitation: InvitationLink | None = None) -> str:
    """Render the list of people around the form for a new one; `invitation` is the one just made."""
    services = current_services()
    with services.store.read() as connection:
        everybody = people.everybody(connection)
        last_seen = sessions.last_used(connection)
        open_until = invitations.open_until(connection, services.clock())
        factors = second_factors.enabled(connection)
        required = second_factors.required_roles(connection)
    # Whoever may do most stands first, and whoever cannot sign in last.
    everybody = sorted(everybody, key=lambda each: (each.disabled_at is not None, _ORDER.index(each.role)))
    cards = [
        _card(each, last_seen.get(each.id), open_until.get(each.id), each.id in factors, required) for each in everybody
    ]
    # Whoever was invited and has not come yet sets up a factor when they do.
    here = [each for each, card in zip(everybody, cards, strict=True) if card.state.name == texts.ACTIVE]
    active = Counter(each.role for each in here)
    without = Counter(each.role for each in here if each.id not in factors)
    roles = [
        RoleRow(
            value=str(role),
            name=role_name(role),
            may=texts.MAY[role],
            people=active[role],
            needs_factor=role in required,
            without=texts.without_factor(without[role], active[role]),
        )
        for role in _ORDER
    ]
    return render_template(
        "accounts/people.html",
        form=form,
        people=cards,
        invitation=invitation,
        roles=roles,
        opens_roles=any(each.without and not each.needs_factor for each in roles if each.value != Role.STAFF),
        takes_passwords=settings().local_sign_in,
    )


def person_page(person: Person, form: ChangeRoleForm, invitation: InvitationLink | None = None) -> str:
    """Render the page of a person; `invitation` is the one just made."""
    services = current_services()
    with services.store.read() as connection:
        last_seen = sessions.last_used(connection)
        open_until = invitations.open_until(connection, services.clock())
        has_factor = person.id in second_factors.enabled(connection)
        required = second_factors.required_roles(connection)
        administrators = people.administrators(connection)
    living = session_rows(current_people().living_sessions(person.id))
    return render_template(
        "accounts/person.html",
        form=form,
        person=_card(person, last_seen.get(person.id), open_until.get(person.id), has_factor, required),
        has_factor=has_factor,
        added=person.created_at,
        is_last_administrator=list(administrators) == [person.id],
        is_disabled=person.disabled_at is not None,
        has_password=person.has_password,
        is_linked=person.oidc_subject is not None,
        takes_passwords=settings().local_sign_in,
        sessions=living,
        signed_out=texts.signed_out(len(living), is_self=person.id == current_user.id),
        each_signs_out=texts.each_signs_out(len(living)) if person.id != current_user.id else "",
        invitation=invitation,
    )


def session_rows(living: Sequence[PlaceOfSession]) -> list[SessionRow]:
    """Show sessions, the one of this request first."""
    here = current_user.session.id
    return [
        SessionRow(
            id=each.id,
            browser=browser_of(each.user_agent),
            user_agent=each.user_agent,
            address=each.address,
            since=each.created_at,
            last_used=each.last_used_at,
            is_this=each.id == here,
        )
        for each in sorted(living, key=lambda each: each.id != here)
    ]


def invitation_link(invited: Invited) -> InvitationLink:
    with current_services().store.read() as connection:
        is_known = invited.person.has_password or invited.person.id in sessions.last_used(connection)
    address = url_for("accounts.invitation", token=invited.token, _external=True)
    expires_at = current_services().clock() + invitations.VALID_FOR
    words = texts.invitation_message(invited.person.name, address, format_moment(expires_at))
    return InvitationLink(
        invited.person.name, address, f"https://wa.me/?text={quote(words, safe='')}", expires_at, is_known
    )


def _card(
    person: Person,
    last_seen: datetime | None,
    open_until: datetime | None,
    has_factor: bool,
    required: Collection[Role],
) -> PersonCard:
    state = _state(person, open_until, has_been_here=last_seen is not None)
    is_required = person.role in required
    comes = state.meaning in ("waiting", "wrong")
    none = texts.FACTOR_LATER if comes else texts.FACTOR_MISSING if is_required else texts.FACTOR_NONE
    return PersonCard(
        id=person.id,
        name=person.name,
        email=person.email,
        role=role_name(person.role),
        state=state,
        last_seen=last_seen,
        second_factor=texts.FACTOR_ON if has_factor else none,
        lacks_factor=not has_factor and state.meaning == "good" and (is_required or person.role is not Role.STAFF),
        is_self=person.id == current_user.id,
        invites_again=state.name in (texts.INVITATION_OVER, texts.PASSWORD_OVER),
    )


def _state(person: Person, open_until: datetime | None, *, has_been_here: bool) -> StateWords:
    if person.disabled_at is not None:
        return _words(texts.DISABLED, texts.DISABLED_SINCE.format(since=format_moment(person.disabled_at)), "ended")
    if open_until is not None and settings().local_sign_in:
        name = texts.INVITED_AGAIN if has_been_here else texts.INVITED
        return _words(name, texts.INVITED_UNTIL.format(until=format_moment(open_until)), "waiting")
    if not settings().local_sign_in and not has_been_here and person.oidc_subject is None:
        return _words(texts.NEVER_SIGNED_IN, "", "waiting")
    if settings().local_sign_in and not person.can_sign_in:
        return _words(texts.PASSWORD_OVER if has_been_here else texts.INVITATION_OVER, "", "wrong")
    return _words(texts.ACTIVE, "", "good")


def _words(name: str, note: str, meaning: str) -> StateWords:
    return StateWords("", "", meaning, note=note, name=name)

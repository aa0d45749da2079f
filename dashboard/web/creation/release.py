"""Build what the page of a request shows of a release of its claims by a manager."""

from __future__ import annotations

from dataclasses import replace

from flask import url_for
from flask_login import current_user

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.intents import LINK_IS_OURS, OPEN, IntentState
from dashboard.domain.registration import spaced
from dashboard.services.creation.release import MIN_REASON
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.creation.intents import Intent
from dashboard.web.creation import release_texts, wait_texts
from dashboard.web.creation.records import ReleaseOffer, RequestPanel
from dashboard.web.shared import saved_forms
from dashboard.web.shared.current import current_services, names
from dashboard.web.vehicles.challan_rows import row_on_other_page

ENDPOINT = "creation.release"


def is_released(intent: Intent) -> bool:
    """Return whether a manager has released the claims and the outcome is still unclear."""
    return intent.state is IntentState.NEEDS_ATTENTION and intent.released_at is not None


def released_by(intent: Intent) -> str:
    """Return the name of the manager who released the claims."""
    return names().get(intent.released_by or 0, "a manager")


def may_release() -> bool:
    """Return whether the signed-in person is a manager or an administrator."""
    return bool(current_user.may_open(ENDPOINT))


def offer(intent: Intent, problem: str | None = None) -> ReleaseOffer | None:
    """Build the form's surroundings for an intent that may come to need a release, and for those who may; None else."""
    if intent.state not in OPEN or intent.released_at is not None or not may_release():
        return None
    now = current_services().clock()
    goes_on = intent.send_ended is None or now < current_services().schedule.last_attempt(intent.send_ended)
    return ReleaseOffer(
        only_then=str(release_texts.ONLY_THEN),
        consequence=str(release_texts.CONSEQUENCE),
        after=release_texts.release_allows(goes_on=goes_on),
        problem=problem,
        hint=str(release_texts.RELEASE_HINT),
        min_reason=MIN_REASON,
    )


def _for_manager(intent: Intent) -> str:
    """Return what somebody who may not release the claims of an intent tells a manager."""
    address = url_for("creation.request_page", request_id=intent.id, _external=True)
    return "\n".join((release_texts.please_release(spaced(intent.rc)), address))


def add_release(panel: RequestPanel, intent: Intent, listed: list[ListedChallan]) -> RequestPanel:
    """Add to the panel of a request what a release, or the need of one, changes."""
    if intent.released_at is None:
        if intent.state is not IntentState.NEEDS_ATTENTION:
            return panel
        return replace(panel, may_release=True, for_manager="" if may_release() else _for_manager(intent))
    who_and_when = release_texts.released(released_by(intent), intent.released_at)
    released = f"{who_and_when}: {release_texts.quoted(intent.release_reason or '')}"
    taken = [item for item in listed if _is_taken(item, intent)]
    free = [item.challan.challan_no for item in listed if item.selectable]
    now = current_services().clock()
    if is_released(intent):
        said = release_texts.held_after_release(len(taken), len(intent.challan_ids)) if taken else ""
        panel = replace(
            panel,
            released=released,
            words=f"{release_texts.MAY_EXIST} {said}".rstrip(),
            headline=str(release_texts.CHECK_FIRST),
            said=said,
            is_released=True,
            then=_then(free, len(listed)),
            warning=release_texts.double_payment(len(taken)),
            unclear=None,
            meaning="waiting",
            poll_seconds=panel.poll_seconds if intent.next_check_at else None,
            held=tuple(row_on_other_page(item, now) for item in taken),
            title=f"{release_texts.RELEASED_TITLE} · {spaced(intent.rc)} · Challan Dashboard",
        )
    else:
        panel = replace(panel, released=released)
        if intent.state in LINK_IS_OURS and taken:
            double = release_texts.double_after_release(len(taken))
            panel = replace(
                panel,
                headline=str(release_texts.FOUND_TWICE),
                words=f"{panel.words} {double}",
                warning=double,
                is_double=True,
                meaning="wrong",
                held=tuple(row_on_other_page(item, now) for item in taken),
            )
    return replace(panel, seen=fingerprint((panel.seen, released, [item.challan.id for item in taken])))


def _then(free: list[str | None], of_all: int) -> str:
    """Say which challans can go on another link once the first one has been checked; "" for none."""
    if not free:
        return ""
    return wait_texts.can_go(free) if len(free) < of_all else str(release_texts.ALL_CAN_GO)


def _is_taken(item: ListedChallan, intent: Intent) -> bool:
    """Return whether another intent, or a link that is not this intent's, holds a challan by now."""
    if item.claim is not None:
        return item.claim.intent_id != intent.id
    return not item.selectable and item.challan.link_id not in (None, intent.link_id)


@saved_forms.resumes(ENDPOINT, waits=True)
def _page_of_request(form: SavedForm) -> str:
    """Show the reason in the form on the page of the request again."""
    return url_for("creation.request_page", request_id=form.view_args["request_id"])


def saved_reason(request_id: str) -> str:
    """Return the reason that was typed before the session expired, or ""."""
    form = saved_forms.waiting(ENDPOINT)
    return form.first("reason") or "" if form is not None and form.view_args["request_id"] == request_id else ""

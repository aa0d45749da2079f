"""A request that a manager set aside, or may: the form, and words that are true while its outcome is not known."""

from __future__ import annotations

from dataclasses import replace

from flask import url_for
from flask_login import current_user
from flask_wtf import FlaskForm
from wtforms import TextAreaField

from dashboard.domain.intents import OPEN, IntentState
from dashboard.domain.registration import spaced
from dashboard.services.creation.release import MAX_REASON, MIN_REASON, ReleaseProblem
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.creation.intents import Intent
from dashboard.web.creation.records import ReleaseOffer, RequestPanel
from dashboard.web.shared import saved_forms
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, format_moment, names
from dashboard.web.shared.fingerprints import fingerprint
from dashboard.web.vehicles.page import row_on_other_page

ENDPOINT = "creation.release"

#: Said below the field.
FIELD_WORDS = {
    ReleaseProblem.REASON_SHORT: f"Write why, in at least {MIN_REASON} characters. Others read it later.",
    ReleaseProblem.REASON_LONG: f"Write why in at most {MAX_REASON} characters.",
}
BEING_LOOKED_AT = "This request is being looked at just now. Nothing was let go. Try again in a minute."
NOT_IN_QUESTION = "Nothing was let go: this request does not need it. What is known of it stands here."
ALREADY = "Nothing was let go now: a colleague did it before you. Who, when and why stands here."
SETTLED = "Nothing was let go: the look before it found out what became of the request."

_CONSEQUENCE = "The link may or may not exist. If it does and another is made, money may be paid twice."
_DOUBLE = "Another request or link holds {} of its challans too: money may be paid twice."
_LINK_IS_OURS = (IntentState.CREATED, IntentState.RECOVERED)


class ReleaseClaimsForm(FlaskForm):  # type: ignore[misc]
    reason = TextAreaField("Reason")


def is_aside(row: Intent) -> bool:
    """Whether a request stands set aside: nobody knows yet what became of it."""
    return row.state == IntentState.NEEDS_ATTENTION and row.released_at is not None


def by_whom(row: Intent) -> str:
    return names().get(row.released_by, "a manager")


def let_go(row: Intent, problem: str | None = None) -> ReleaseOffer | None:
    """What stands beside the panel of a request that may come to need a manager's word, or None."""
    if row.state not in OPEN or row.released_at is not None:
        return None
    if not current_user.may_open(ENDPOINT):
        return ReleaseOffer(False, _CONSEQUENCE)
    now = current_services().clock()
    goes_on = row.send_ended is None or now < current_services().schedule.last_attempt(row.send_ended)
    looks = "We look once more now, and go on looking." if goes_on else "We look once more now."
    return ReleaseOffer(True, f"{_CONSEQUENCE} {looks}", problem)


def told(panel: RequestPanel, row: Intent, placed: list[ListedChallan]) -> RequestPanel:
    """The panel of a request with what setting it aside, or the need of it, adds."""
    if row.released_at is None:
        return replace(panel, may_let_go=row.state == IntentState.NEEDS_ATTENTION)
    aside = f"Set aside by {by_whom(row)} at {format_moment(row.released_at)}: {_quoted(row.release_reason or '')}"
    taken = [item for item in placed if _is_taken(item, row)]
    if is_aside(row):
        now = current_services().clock()
        panel = replace(
            panel,
            aside=aside,
            words=_nobody_knows(len(taken), len(row.challan_ids)),
            meaning="neutral",
            poll_seconds=panel.poll_seconds if row.next_check_at else None,
            held=tuple(row_on_other_page(item, now) for item in taken),
            title=f"Set aside · {spaced(row.rc)} · Challan Dashboard",
        )
    else:
        double = f" {_DOUBLE.format(_some(len(taken)))}" if row.state in _LINK_IS_OURS and taken else ""
        panel = replace(panel, aside=aside, words=f"{panel.words}{double}")
    return replace(panel, seen=fingerprint((panel.seen, aside, [item.challan.id for item in taken])))


def _quoted(why: str) -> str:
    return f"“{why}”" if why.endswith((".", "!", "?", "।")) else f"“{why}”."


def _is_taken(item: ListedChallan, row: Intent) -> bool:
    """Whether another request, or a link that is not this request's, holds a challan by now."""
    if item.claim is not None:
        return bool(item.claim.intent_id != row.id)
    return not item.selectable and item.challan.link_id not in (None, row.link_id)


def _nobody_knows(taken: int, of_all: int) -> str:
    if not taken:
        return (
            "The link may or may not exist; its challans are free again, and we look once more before another is sent."
        )
    return (
        f"The link may or may not exist. Its challans were let go, and {_some(taken)} of {of_all} "
        f"{'is' if taken == 1 else 'are'} held by another request or link now."
    )


def _some(count: int) -> str:
    return "one" if count == 1 else str(count)


def what_next(row: Intent) -> str:
    """What happens to a request that stands set aside."""
    last = format_moment(current_services().schedule.last_attempt(row.send_ended or row.prepared_at))
    if row.next_check_at is None:
        return f"The looks for it ended {last}. A link that any search of the vehicle meets is still shown here."
    return f"We go on looking until {last}, and a link that turns up is shown here. {failed_look(row)}".strip()


def failed_look(row: Intent) -> str:
    """What kept the last look from settling a request, and when; "" where it was answered."""
    if not row.attempt_failure:
        return ""
    # Not "failed": the link may exist (I6).
    at = f", at {format_moment(row.attempt_failed_at)}," if row.attempt_failed_at is not None else ""
    return f"The last look{at} settled nothing: {shared_texts.failed_look(row.attempt_failure)}"


@saved_forms.resumes(ENDPOINT, waits=True)
def _page_of_request(form: SavedForm) -> str:
    """Show the reason in the form on the page of the request again."""
    return url_for("creation.request_page", request_id=form.view_args["request_id"])


def saved_reason(request_id: str) -> str:
    """Return the reason that was typed before the session expired, or ""."""
    form = saved_forms.waiting(ENDPOINT)
    return form.first("reason") or "" if form is not None and form.view_args["request_id"] == request_id else ""

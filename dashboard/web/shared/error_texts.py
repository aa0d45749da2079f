"""Define the texts for failed calls to the service: what happened, what is saved, what to do next.

The texts are keyed by operation and error class; an entry under None is for every other operation. A creation has texts
for the errors before its send alone: once sent, its outcome is shown by the page of its request. Titles begin with
fixed words: "The service did not answer", "The service answered with an error", "The API key was refused"; or they say
which limit or key it is.
"""

from __future__ import annotations

import math

from dashboard.errors import INSECURE, SILENCE, AllowanceSpent, BreakerOpen, Operation, ServiceError
from dashboard.store.refusals import StoreRefusal
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy

NO_ANSWER = lazy("The service did not answer")
ERROR = lazy("The service answered with an error")
KEY_REFUSED = lazy("The API key was refused")
KEY_THROTTLED = lazy("The API key is throttled or was refused")

_CREATE = Operation.CREATE_PAYMENT_LINK
_SEARCH = Operation.SEARCH_CHALLANS
_STATUS = Operation.GET_PAYMENT_LINK
_RC_TYPES = Operation.LIST_RC_TYPES

#: While our own database refuses, by whether the service has answered with a created link.
NOT_RECORDED = {
    True: (
        lazy("The link was created"),
        lazy(
            "The dashboard could not save it yet. It will be saved automatically, with the payment "
            "URL. The challans stay reserved, so do not create it again."
        ),
    ),
    False: (
        lazy("The outcome of the request could not be saved"),
        lazy(
            "The link may or may not exist. The challans stay reserved, and we look for it as soon as "
            "the dashboard’s database answers. Do not create it elsewhere."
        ),
    ),
}

WORDS: dict[tuple[Operation | None, str], tuple[str, str]] = {
    (None, "Unreachable"): (
        NO_ANSWER,
        lazy("What you entered is kept. The page shows the last known data. Try again in a minute."),
    ),
    (_SEARCH, "Unreachable"): (
        NO_ANSWER,
        lazy("What you entered is kept. The last results are kept too and show their age. Try again in a minute."),
    ),
    (_STATUS, "Unreachable"): (
        NO_ANSWER,
        lazy("The last known state is kept and shows its age. We check again automatically."),
    ),
    (None, "ServiceFailed"): (
        ERROR,
        lazy("What you entered is kept. The page shows the last known data. Try again in a minute."),
    ),
    (_SEARCH, "ServiceFailed"): (
        ERROR,
        lazy("The challan source did not answer. The last results are kept and show their age. Try again in a minute."),
    ),
    (None, "UnreadableAnswer"): (
        ERROR,
        lazy(
            "The answer could not be read. What you entered is kept. The page shows the last known "
            "data. Tell an administrator."
        ),
    ),
    (None, "SecretRejected"): (
        KEY_REFUSED,
        lazy(
            "No calls are made while it is refused. It is tried again automatically, and at once when it changes. "
            "Everything is kept."
        ),
    ),
    (None, "KeyThrottled"): (
        KEY_THROTTLED,
        lazy(
            "The service refuses our calls, and no daily limit explains it. The key may have expired, "
            "or the service may have received a wrong key too often. Tell an administrator. "
            "Everything is kept."
        ),
    ),
    (None, "OtherOrganization"): (
        lazy("The API key belongs to another organization"),
        lazy(
            "No calls are being made, so that two organizations do not mix. Everything is kept. Tell an administrator."
        ),
    ),
    (None, "ServiceNotEnabled"): (
        ERROR,
        lazy(
            "Challan Search is not enabled for your organization. Payment links stay usable. We ask "
            "again in 10 minutes."
        ),
    ),
    (_CREATE, "ServiceNotEnabled"): (
        ERROR,
        lazy(
            "Payment Link Generation is not enabled for your organization. Searching stays usable, "
            "and the selection is saved."
        ),
    ),
    (_STATUS, "ServiceNotEnabled"): (
        ERROR,
        lazy("Payment Link Generation is not enabled for your organization. The last known state is kept."),
    ),
    (None, "AllowanceSpent"): (
        ERROR,
        lazy("Today’s limit is reached. What you entered is kept. The page shows the last known data."),
    ),
    (_CREATE, "AllowanceSpent"): (
        lazy("Today’s limit for new links is reached"),
        lazy("The service makes no more links now. The selection is saved."),
    ),
    (_SEARCH, "AllowanceSpent"): (
        lazy("Today’s search limit is reached"),
        lazy("The last results are kept and show their age."),
    ),
    (_RC_TYPES, "AllowanceSpent"): (
        lazy("Today’s search limit is reached"),
        lazy(
            "The service refused the list of RC types, and none is known yet. A vehicle that is new "
            "here cannot be searched without it. What you entered is kept."
        ),
    ),
    (_SEARCH, "AllowanceReserved"): (
        lazy("Today’s search limit is reached"),
        lazy(
            "The rest is reserved for finding out about requests with no known outcome. The last "
            "results are kept and show their age."
        ),
    ),
    (_CREATE, "AllowanceReserved"): (
        lazy("Today’s limit for new links is reached"),
        lazy("The rest is reserved for links that people create one by one."),
    ),
    (None, "BreakerOpen"): (
        NO_ANSWER,
        lazy(
            "Several calls failed, so we did not call it just now. What you entered is kept. The page "
            "shows the last known data."
        ),
    ),
    (_SEARCH, "BreakerOpen"): (
        NO_ANSWER,
        lazy(
            "Several calls failed, so we did not call it just now. What you entered is kept. The last "
            "results are kept too and show their age."
        ),
    ),
    (_CREATE, "BreakerOpen"): (
        NO_ANSWER,
        lazy("Several calls failed, so we did not request a link just now. The selection is saved."),
    ),
    (_STATUS, "BreakerOpen"): (
        NO_ANSWER,
        lazy(
            "Several calls failed, so we did not call it just now. The last known state is kept and "
            "shows its age. We check again automatically."
        ),
    ),
    (None, "RequestRefused"): (
        ERROR,
        lazy("It rejected the request. What you entered is kept. Check it, then try again."),
    ),
    (None, "NotFound"): (
        ERROR,
        lazy("It does not know this. What you entered is kept. The page shows the last known data."),
    ),
    (_STATUS, "NotFound"): (ERROR, lazy("It no longer knows this link. The last known state is kept.")),
    (None, "Conflict"): (
        ERROR,
        lazy("It reports a conflict. What you entered is kept. The page shows the last known data."),
    ),
    (_SEARCH, "Conflict"): (
        ERROR,
        lazy("The vehicle belongs to another organization or was deleted there. Check the registration number."),
    ),
}
#: While our own database refuses: what happened.
STORE_REFUSED = {
    StoreRefusal.BUSY: lazy("The dashboard is too busy to save"),
    StoreRefusal.FULL: lazy("The dashboard’s disk is full"),
    StoreRefusal.READ_ONLY: lazy("The dashboard cannot save changes at the moment"),
    StoreRefusal.AWAY: lazy("The dashboard’s database does not answer"),
}
_NOTHING_SAVED = lazy("Nothing was saved by this click.")
_PERHAPS_SAVED = lazy("It is not known how much was saved. Check before you do it again.")
_ONE_AT_MOST = lazy("If you send it again, at most one link is made.")
_NOT_SIGNED_IN = lazy("You are not signed in.")
_NOTHING_READ = lazy("The page cannot be shown, and nothing is lost.")
#: Seconds after which another try is worth it.
STORE_RETRY_SECONDS = {StoreRefusal.BUSY: 5}
_STORE_RETRY_USUALLY = 30

_PERSON_LIMIT = (
    lazy("You have reached the hourly search limit of one person"),
    lazy("This keeps searches for everybody else. What you entered is kept."),
)
_NO_TLS = lazy("A secure connection could not be made. Tell an administrator.")
_INSECURE = lazy("A secure connection could not be made. Tell an administrator. Nothing was sent. Everything is kept.")

_STATUSES = {
    "RequestRefused": 400,
    "NotFound": 404,
    "Conflict": 409,
    "AllowanceSpent": 429,
    "AllowanceReserved": 429,
    "ServiceFailed": 502,
    "UnreadableAnswer": 502,
    "SecretRejected": 503,
    "KeyThrottled": 503,
    "OtherOrganization": 503,
    "ServiceNotEnabled": 503,
    "BreakerOpen": 503,
    "Unreachable": 504,
}


def explain_refusal(
    refusal: StoreRefusal, *, writes: bool = False, saved: bool = False, creates: bool = False, signs_in: bool = False
) -> tuple[str, str]:
    """Return a title and sentences about a database that refused; `saved` tells that a part was saved before.

    A database that is away may have taken what it did not confirm.
    """
    known = not saved and refusal is not StoreRefusal.AWAY
    said = [(_NOTHING_SAVED if known else _PERHAPS_SAVED) if writes else _NOTHING_READ]
    said = [_NOT_SIGNED_IN] if signs_in else said
    said += [_ONE_AT_MOST] if creates else []
    whom = [] if refusal is StoreRefusal.BUSY else [_("If it goes on, tell an administrator.")]
    return str(STORE_REFUSED[refusal]), " ".join(
        [*map(str, said), _("Try again in %(seconds)s s.", seconds=store_retry(refusal)), *whom]
    )


def store_retry(refusal: StoreRefusal) -> int:
    """Return in how many seconds another try is worth it."""
    return STORE_RETRY_SECONDS.get(refusal, _STORE_RETRY_USUALLY)


def explain(error: ServiceError) -> tuple[str, str]:
    """Return a title and one or two sentences. They hold nothing of the service's own text."""
    name = type(error).__name__
    words = WORDS.get((error.operation, name)) or WORDS.get((None, name)) or WORDS[None, "ServiceFailed"]
    title, text = map(str, _PERSON_LIMIT if error.personal else words)
    if isinstance(error, BreakerOpen):
        title = str(NO_ANSWER if error.cause in SILENCE else ERROR)
        text = f"{_NO_TLS} {text}" if error.cause == INSECURE else text
    if (error.personal or isinstance(error, BreakerOpen)) and error.retry_after:
        return title, _("%(text)s Try again in %(time)s.", text=text, time=_span(error.retry_after))
    if isinstance(error, AllowanceSpent):
        return title, _("%(text)s Try again %(when)s.", text=text, when=_when(error.retry_after))
    if not error.sent and getattr(error, "secure", True) is False:
        return title, str(_INSECURE)
    return title, text


def _when(seconds: float | None) -> str:
    return _("in %(time)s", time=_span(seconds)) if seconds else _("tomorrow")


def _span(seconds: float) -> str:
    whole = max(1, math.ceil(seconds))
    return _("%(count)s s", count=whole) if whole < 60 else _("%(count)s min", count=math.ceil(whole / 60))


def retry_after(error: ServiceError) -> dict[str, str]:
    """Return the header that says when to try again, where a time is known."""
    return {"Retry-After": str(max(1, math.ceil(error.retry_after)))} if error.retry_after else {}


def status_of(error: ServiceError) -> int:
    """Return the status of our own answer."""
    return _STATUSES.get(type(error).__name__, 502)

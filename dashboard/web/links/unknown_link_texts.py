"""Word what people read about a link that the service no longer knows, and about the release of its challans."""

from __future__ import annotations

from dashboard.services.creation.release import ReleaseProblem
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy

#: What is to be done about the link, before why.
DO_NOT_SEND = lazy("Do not send this link")
#: Its challans are on it until it ends.
UNTIL_ITS_END = lazy(
    "The service no longer knows it. We check it once a day; after its end a manager can release its challans."
)
CHECKED_DAILY = lazy("The service no longer knows it. We check it once a day.")
TO_RELEASE = lazy(
    "The service no longer knows it. Ask the service’s support first: if it still exists, money may be paid twice. "
    "If they say it is gone, release its challans for a new link."
)
TO_BE_RELEASED = lazy(
    "The service no longer knows it. Once a manager has released its challans, they can go on a new link."
)
#: Its challans can go on a new link, and whoever was sent this one may have kept it.
RELEASED = lazy("The service no longer knows this one: nobody should pay with it any more.")

RELEASE_NOT_ENDED = lazy("Nothing was released: the link has not ended yet.")
RELEASE_NOT_FREE = lazy(
    "Nothing was released: the department shows none of its challans as payable and free. They may be paid, or still "
    "be on the link."
)
RELEASE_KNOWN_AGAIN = lazy("Nothing was released: the service knows this link again. Its state is shown here.")
RELEASE_REFUSALS = {
    ReleaseProblem.NOT_ENDED: RELEASE_NOT_ENDED,
    ReleaseProblem.NOT_FREE: RELEASE_NOT_FREE,
    ReleaseProblem.NOT_NEEDED: lazy("Nothing was released: this link does not need it."),
    ReleaseProblem.ALREADY_RELEASED: lazy("Nothing was released: this link holds no challans any more."),
}
RELEASE_DONE = lazy("The challans that the department shows as free are released. You can put them on a new link.")


def please_release(about: str) -> str:
    """Ask a manager to release the challans of a link, which its vehicle and amount name."""
    return _("The service no longer knows this payment link: %(about)s. Please release its challans.", about=about)


def released_by(manager: str, at: str, reason: str) -> str:
    """Say who released the challans of a link that the service no longer knows, when and why."""
    return _("%(manager)s released its challans at %(moment)s: %(reason)s", manager=manager, moment=at, reason=reason)

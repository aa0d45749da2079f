"""Define the sentences of creation plans. "Not created" is said only where that is certain (I6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dashboard.domain.fleet import JobState, LinkOutcome
from dashboard.domain.intents import LINK_IS_OURS, NOTHING_CREATED, UNCLEAR, IntentState
from dashboard.domain.money import Sum
from dashboard.services.creation.commands import CreationProblem
from dashboard.store.creation.intents import Intent
from dashboard.store.fleet.plan_shares import Share
from dashboard.store.fleet.plans import LinkOfPlan
from dashboard.web.creation.texts import PROBLEMS, what_happened
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import format_amount
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext
from dashboard.web.shared.records import StateWords

#: What the links of a plan come to, in the order of the page.
CREATED, ATTACHED, UNCLEAR_NOW, NOT_CREATED, REFUSED, FAILED, LEFT = KEYS = (
    "created",
    "attached",
    "unclear",
    "not_created",
    "refused",
    "failed",
    "left",
)
_GROUPS = {
    CREATED: StateWords("created", "", "good", name=lazy("Created")),
    ATTACHED: StateWords("attached", "", "neutral", name=lazy("On another link")),
    UNCLEAR_NOW: StateWords("unclear", "", "waiting", name=lazy("Link may exist")),
    NOT_CREATED: StateWords("not_created", "", "ended", name=lazy("Not created")),
    REFUSED: StateWords("refused", "", "wrong", name=lazy("Left out by our checks")),
    FAILED: StateWords("failed", "", "wrong", name=lazy("Not sent")),
    LEFT: StateWords("left", "", "neutral", name=lazy("Still to create")),
}
_ALL_CREATED = StateWords("done", "", "good", name=lazy("All created"))
#: More kinds of links that do not exist, or may not, are counted below the state of their plan.
_MOST_KINDS = 2
#: What a cancelled plan has left, which may have been under way.
_CANCELLED = StateWords(LEFT, "", "ended", name=lazy("Cancelled"))
_UNDER_WAY = StateWords("under_way", "", "waiting", name=lazy("Being created"))
#: Why a link waits where the limit of new links is reached.
_LIMITS = {
    "AllowanceSpent": lazy("Today’s limit for new links is reached."),
    "AllowanceReserved": lazy("The rest of today’s limit for new links is reserved for people."),
}
#: Which states of a request stand for which group.
STATES = {
    CREATED: LINK_IS_OURS,
    ATTACHED: frozenset({IntentState.ATTACHED}),
    UNCLEAR_NOW: UNCLEAR | {IntentState.PREPARED, IntentState.SENDING},
    NOT_CREATED: NOTHING_CREATED,
}
#: What is retried together is counted together.
RETRIED = (NOT_CREATED, FAILED)
ALL_LINKS = lazy("All links")
SHEET = lazy("Links of the plan")
CANCELLED = lazy("Cancelled. Links that exist stay.")
OTHER_SELECTION = lazy("Your selection has changed since this review was opened. No link was created. Read it again.")
NOT_SENT_AFTER_ALL = lazy("Undone: these links are not marked as sent.")
#: The most drivers who are named as skipped.
_MOST_NAMES = 3
NOBODY_LEFT = lazy("No driver is left to send to.")
NOT_CHECKED = lazy("None of these links can be sent now.")
NO_DRIVER, SEVERAL_DRIVERS = lazy("No driver"), lazy("Several usual drivers")
AMOUNT_UNKNOWN = lazy("amount unknown")
NOT_TO_PRINT = lazy("This link cannot be given away now.")


def next_to_message(number: int, of: int) -> str:
    """Say which of the drivers who wait for a message is next."""
    return ngettext(
        "Next: %(number)s of %(num)s to message", "Next: %(number)s of %(num)s to message", of, number=number
    )


def queue_ended(sent: int, skipped: Sequence[str], undriven: int) -> str:
    """Say what became of the messages of a queue that has come to its end, and how many vehicles have no driver."""
    return " ".join(part for part in (_messages_sent(sent, skipped), _undriven(undriven)) if part)


def _messages_sent(sent: int, skipped: Sequence[str]) -> str:
    if not skipped:
        return (
            ngettext(
                "%(count)s driver has the message.", "All %(count)s drivers have the message.", sent, count=f"{sent:,}"
            )
            if sent
            else str(NOBODY_LEFT)
        )
    names = ", ".join(skipped) if len(skipped) <= _MOST_NAMES else f"{', '.join(skipped[:_MOST_NAMES])}, …"
    return ngettext(
        "%(sent)s sent · %(num)s skipped: %(names)s",
        "%(sent)s sent · %(num)s skipped: %(names)s",
        len(skipped),
        sent=sent,
        names=names,
    )


def _undriven(vehicles: int) -> str:
    if not vehicles:
        return ""
    return ngettext(
        "%(count)s vehicle has no driver yet.",
        "%(count)s vehicles have no driver yet.",
        vehicles,
        count=f"{vehicles:,}",
    )


def unsent(to_send: int, without_driver: int, without_phone: int, to_check: int, waits: str = "") -> str:
    """Say what the links wait for that nobody was given, and whose message `waits` for links that are still to create;
    where all of them can be sent, that they are not is enough.
    """
    if to_send and not (without_driver or without_phone or to_check):
        return waits
    said = (
        (to_send, _("%(count)s to send", count=f"{to_send:,}")),
        (without_driver, _("%(count)s without a driver", count=f"{without_driver:,}")),
        (without_phone, _("%(count)s without a phone number", count=f"{without_phone:,}")),
        (to_check, _("%(count)s to check first", count=f"{to_check:,}")),
    )
    return " · ".join([*(words for count, words in said if count), *([waits] if waits else [])])


def drivers_wait(drivers: int, links: int) -> str:
    """Say how many drivers have links still to create besides those that can be sent; nothing is no words."""
    if not drivers:
        return ""
    for_links = ngettext("%(num)s more link", "%(num)s more links", links)
    return ngettext(
        "%(num)s driver waits for %(links)s", "%(num)s drivers wait for %(links)s", drivers, links=for_links
    )


def more_to_come(links: int) -> str:
    """Say beside the links of a driver that more are to come, which the message would have besides."""
    return ngettext(
        "%(num)s more link is still to create: wait, and one message carries all.",
        "%(num)s more links are still to create: wait, and one message carries all.",
        links,
    )


def not_printed(to_check: int, paid: int, ended: int) -> str:
    """Say of how many links a sheet has no code, by why."""
    said = (
        (to_check, _("%(count)s to check first", count=f"{to_check:,}")),
        (paid, _("%(num)s paid", num=f"{paid:,}")),
        (ended, _("%(num)s ended", num=f"{ended:,}")),
    )
    return ", ".join(words for count, words in said if count)


def send_part(sends: int, of: int) -> str:
    """Name the button for a message that has so many of the links of a driver."""
    return ngettext("Send %(num)s of %(all)s links", "Send %(num)s of %(all)s links", sends, all=of)


def send_to(drivers: int) -> str:
    """Name what comes next while drivers have not been sent their links."""
    return ngettext("Send to %(count)s driver", "Send to %(count)s drivers", drivers, count=f"{drivers:,}")


def choose(vehicles: int) -> str:
    """Name what comes next where nobody is known to drive so many vehicles."""
    return ngettext("Choose driver for %(num)s vehicle", "Choose drivers for %(num)s vehicles", vehicles)


def group(key: str, of: JobState) -> StateWords:
    """Return the words for what links came to in a plan of this state."""
    return _CANCELLED if key == LEFT and of is JobState.CANCELLED else _GROUPS[key]


def ended_with(came_to: Sequence[Share]) -> StateWords:
    """Return the state of a plan that has tried all its links: it is done only where all of them exist.

    Else it says what the others came to: of some nobody knows whether they exist.
    """
    missing, of = without_links(came_to), sum(share.links for share in came_to)
    if not missing:
        return _ALL_CREATED
    words = counted(missing, ", ")
    if len(missing) > _MOST_KINDS:
        words = far(of - missing.total(), of, unclear=missing[UNCLEAR_NOW])
    return StateWords("done", "", "waiting", name=words)


def far(created: int, of: int, *, unclear: int) -> str:
    """Say how many links of a plan exist, as far as that is known."""
    if unclear:
        return _("%(created)s of %(all)s links known to be created", created=f"{created:,}", all=f"{of:,}")
    return _("%(created)s of %(all)s links created", created=f"{created:,}", all=f"{of:,}")


def try_now(links: int) -> str:
    """Name what a plan that waits does when a person lets it go on."""
    return ngettext("Try to create %(num)s link now", "Try to create %(num)s links now", links)


def changed(to_pay: Sum, reviewed: Sum) -> str:
    """Say how what is to pay differs from what was reviewed, "" where that is not known or nothing differs.

    Why an amount differs is said only as far as the records do: it was unknown at the review.
    """
    if to_pay.unknown or to_pay.total == reviewed.total:
        return ""
    if to_pay.total < reviewed.total:
        return _("%(amount)s less than reviewed", amount=format_amount(reviewed.total - to_pay.total))
    amount = format_amount(to_pay.total - reviewed.total)
    if not reviewed.unknown:
        return _("%(amount)s more than reviewed", amount=amount)
    return ngettext(
        "%(amount)s more than reviewed: %(num)s amount was unknown then",
        "%(amount)s more than reviewed: %(num)s amounts were unknown then",
        reviewed.unknown,
        amount=amount,
    )


def key_of(outcome: LinkOutcome | None, state: IntentState | None) -> str:
    """Return what a link of a plan has come to."""
    match outcome:
        case None:
            return LEFT
        case LinkOutcome.REFUSED:
            return REFUSED
        case LinkOutcome.FAILED:
            return FAILED
    return next((key for key, states in STATES.items() if state in states), UNCLEAR_NOW)


def state_of(link: LinkOfPlan, of: JobState) -> StateWords:
    """Return the words for what became of a link of a plan of this state."""
    if link.outcome is None and link.claimed_at is not None:
        return _UNDER_WAY
    return group(key_of(link.outcome, link.intent_state), of)


def why(link: LinkOfPlan, request: Intent | None) -> str:
    """Say why a link of a plan does not exist; `request` is its own, where it has created nothing."""
    match key_of(link.outcome, link.intent_state):
        case "refused":
            return str(PROBLEMS[CreationProblem(link.failure)]) if link.failure in set(CreationProblem) else ""
        case "failed":
            return _("%(why)s Nothing was sent.", why=shared_texts.failure(link.failure or ""))
        case "left" if link.failure and link.claimed_at is None:
            return str(_LIMITS.get(link.failure) or shared_texts.failure(link.failure))
        case "not_created" if request:
            return what_happened(request, (), None)
        case "unclear":
            return _("We check again automatically. Until then its challans stay reserved.")
        case "attached":
            return _("Another link holds some of these challans.")
    return ""


def without_links(came_to: Iterable[Share]) -> Counter[str]:
    """Count the links that do not exist, or may not, by what became of them."""
    found = Counter[str]()
    for share in came_to:
        key = key_of(share.outcome, share.state)
        if key != CREATED:
            found[NOT_CREATED if key in RETRIED else key] += share.links
    return found


def counted(missing: Mapping[str, int], between: str, of: JobState = JobState.RUNNING) -> str:
    """Say how many links came to what, in a plan of this state. "Not created" is said only where it is certain."""
    count = f"{missing.get(LEFT, 0):,}"
    left = (
        _("%(num)s cancelled", num=count) if of is JobState.CANCELLED else _("%(count)s still to create", count=count)
    )
    said = (
        (NOT_CREATED, _("%(count)s not created", count=f"{missing.get(NOT_CREATED, 0):,}")),
        (UNCLEAR_NOW, _("%(count)s may exist", count=f"{missing.get(UNCLEAR_NOW, 0):,}")),
        (REFUSED, _("%(count)s left out by our checks", count=f"{missing.get(REFUSED, 0):,}")),
        (ATTACHED, _("%(count)s on another link", count=f"{missing.get(ATTACHED, 0):,}")),
        (LEFT, left),
    )
    return between.join(words for key, words in said if missing.get(key))


def to_look_at(came_to: Iterable[Share]) -> str:
    """Say what of a plan somebody has to look at, wherever only its links are listed; "" for nothing."""
    missing = without_links(came_to)
    return counted({key: missing[key] for key in (NOT_CREATED, UNCLEAR_NOW, REFUSED)}, " · ")


def not_here(came_to: Sequence[Share], state: JobState) -> str:
    """Say which links of a plan in this state are not among those sent; "" for none, or while none was tried."""
    missing, of = without_links(came_to), sum(share.links for share in came_to)
    count = missing.total()
    if not count or missing[LEFT] == of:
        return ""
    return ngettext(
        "%(count)s of %(all)s links is not here: %(which)s.",
        "%(count)s of %(all)s links are not here: %(which)s.",
        count,
        count=f"{count:,}",
        all=f"{of:,}",
        which=counted(missing, ", ", state),
    )


def retry(count: int) -> str:
    """Name the button for those that certainly do not exist; "" where there are none."""
    return ngettext("Retry the %(num)s not created", "Retry the %(num)s not created", count) if count else ""


def retried(count: int) -> str:
    return ngettext("%(count)s link is tried again.", "%(count)s links are tried again.", count, count=f"{count:,}")

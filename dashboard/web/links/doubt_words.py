"""Say what is doubtful about a link, and ask the service's support about it."""

from __future__ import annotations

from sqlalchemy import Connection

from dashboard.domain.link_doubts import LinkDoubt
from dashboard.domain.links import FAILED, is_live
from dashboard.domain.money import add_up
from dashboard.domain.sharing import Answer
from dashboard.store.creation import intents
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import questions as driver_questions
from dashboard.web.links import in_reconcile, panel_warnings, questions, texts
from dashboard.web.shared.current import format_amount
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy
from dashboard.web.shared.texts import join_words

#: Whoever pays may pay for something else, or another amount; only the service's support can explain it.
OF_MONEY = (LinkDoubt.OTHER_VEHICLE, LinkDoubt.AMOUNTS)
#: Support explains these before anybody is given the payment URL.
_HELD_BACK = (*OF_MONEY, LinkDoubt.STATE)
#: What support is asked, in English as they read it; of amounts Reconcile writes more.
QUESTIONS = {
    LinkDoubt.STATE: "what does this state mean?",
    LinkDoubt.OTHER_VEHICLE: "why is a challan of another vehicle on this link?",
}
#: On the page of the link, where what to do stands above it.
_STATE_NOT_KNOWN = lazy("We do not know this state. Ask the service’s support what it means.")
_DO_NOT_SEND = lazy("Do not send it yet")
_MONEY_WAS_TAKEN = lazy(
    "The driver says that money was taken with the link it replaces. Ask the service’s support first."
)
#: Beside the alarm, which names the other link.
_SEND_ONE, _ONE_IS_ENOUGH = lazy("Send only one of these links"), lazy("If both are paid, money is paid twice.")


def advice(connection: Connection, row: Link, doubt: LinkDoubt | None) -> tuple[str, str]:
    """Say what to do before a link is sent, and why; two empty texts where nothing is doubtful about it.

    Of one that was never checked and has no payment URL, that is said in place of the URL.
    """
    if doubt is None and paid_before(connection, row) is not None:
        return str(_DO_NOT_SEND), str(_MONEY_WAS_TAKEN)
    if doubt in (None, LinkDoubt.NEVER_CHECKED):
        return "", ""
    if doubt is LinkDoubt.DUPLICATE:
        return str(_SEND_ONE), str(_ONE_IS_ENOUGH)
    if doubt is LinkDoubt.OTHER_VEHICLE:
        others = list(panel_warnings.of_other_vehicles(connection, row).values())
        return str(_DO_NOT_SEND), f"{texts.why_other_vehicle(others)} {_may_be_more(connection, row)}".strip()
    if doubt is LinkDoubt.AMOUNTS:
        found = in_reconcile.mismatch(connection, row)
        return str(_DO_NOT_SEND), found.words[0] if found else ""
    return str(_DO_NOT_SEND), str(_STATE_NOT_KNOWN)


def holds_back(connection: Connection, row: Link, doubt: LinkDoubt | None) -> bool:
    """Tell whether the payment URL of a link stands with the other ways to send it anyway."""
    return doubt in _HELD_BACK or (doubt is None and paid_before(connection, row) is not None)


def paid_before(connection: Connection, row: Link) -> Link | None:
    """Return the failed link that this one replaces, where its driver says that money was taken."""
    intent = intents.find(connection, row.intent_id) if row.intent_id and is_live(row.status) else None
    old = links.find(connection, intent.replaces) if intent is not None and intent.replaces else None
    if old is None or old.status != FAILED:
        return None
    asked = driver_questions.newest_of_links(connection, [old.id]).get(old.id)
    is_taken = asked is not None and asked.answered is not None and asked.answered.answer is Answer.TAKEN
    return old if is_taken else None


def for_support(connection: Connection, row: Link) -> str:
    """Write down for the service's support that money was taken with the link that this one replaces; "" if not."""
    old = paid_before(connection, row)
    if old is None:
        return ""
    return questions.of_money_taken(connection, old, driver_questions.newest_of_links(connection, [old.id])[old.id])[0]


def _may_be_more(connection: Connection, row: Link) -> str:
    """Say that a driver may be asked for more than the total of a link, where that is of its other challans alone."""
    covered = links.challans_of(connection, row.id)
    unknown = [each for each in covered if each.total_amount is None]
    others = add_up(each.total_amount for each in covered if each.total_amount is not None)
    if not unknown or row.total is None or others.total != row.total:
        return ""
    names = join_words([each.challan_no or each.challan_id for each in unknown])
    return _(
        "The amount of %(names)s is not known: the driver may be asked for more than %(total)s.",
        names=names,
        total=format_amount(row.total),
    )


def sentence(connection: Connection, row: Link, doubt: LinkDoubt | None) -> str:
    """Say what to check before a link is sent, on each page that sends it; "" where nothing is doubtful about it."""
    match doubt:
        case None:
            is_taken = paid_before(connection, row) is not None
            return f"{_MONEY_WAS_TAKEN} {texts.DO_NOT_SEND}" if is_taken else ""
        case LinkDoubt.OTHER_VEHICLE:
            return texts.other_vehicle(list(panel_warnings.of_other_vehicles(connection, row).values()))
        case LinkDoubt.AMOUNTS:
            found = in_reconcile.mismatch(connection, row)
            return f"{found.words[0]} {texts.DO_NOT_SEND}" if found else ""
        case _:
            return str(texts.DOUBTS[doubt])

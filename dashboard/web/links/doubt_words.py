"""Say what is doubtful about a link, and ask the service's support about it."""

from __future__ import annotations

from sqlalchemy import Connection

from dashboard.domain.link_doubts import LinkDoubt
from dashboard.domain.money import add_up
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import questions as driver_questions
from dashboard.store.sharing import taken_payments
from dashboard.web.links import in_reconcile, panel_warnings, questions, texts
from dashboard.web.shared.current import format_amount
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy
from dashboard.web.shared.texts import join_words

#: Whoever pays may pay twice, for something else, or another amount; only the service's support can explain it.
OF_MONEY = (LinkDoubt.MONEY_TAKEN, LinkDoubt.OTHER_VEHICLE, LinkDoubt.AMOUNTS)
#: Support explains these before anybody is given the payment URL.
HELD_BACK = (*OF_MONEY, LinkDoubt.STATE)
#: What support is asked, in English as they read it; of amounts Reconcile writes more.
QUESTIONS = {
    LinkDoubt.STATE: "what does this state mean?",
    LinkDoubt.OTHER_VEHICLE: "why is a challan of another vehicle on this link?",
}
#: On the page of the link, where what to do stands above it.
_STATE_NOT_KNOWN = lazy("We do not know this state. Ask the service’s support what it means.")
_DO_NOT_SEND = lazy("Do not send it yet")
_MONEY_WAS_TAKEN = lazy(
    "The driver says that money was taken with a failed link for the same challans. Ask the service’s support first."
)
#: Beside the alarm, which names the other link.
_SEND_ONE, _ONE_IS_ENOUGH = lazy("Send only one of these links"), lazy("If both are paid, money is paid twice.")


def advice(connection: Connection, row: Link, doubt: LinkDoubt | None) -> tuple[str, str]:
    """Say what to do before a link is sent, and why; two empty texts where nothing is doubtful about it.

    Of one that was never checked and has no payment URL, that is said in place of the URL.
    """
    if doubt in (None, LinkDoubt.NEVER_CHECKED):
        return "", ""
    if doubt is LinkDoubt.MONEY_TAKEN:
        return str(_DO_NOT_SEND), str(_MONEY_WAS_TAKEN)
    if doubt is LinkDoubt.DUPLICATE:
        return str(_SEND_ONE), str(_ONE_IS_ENOUGH)
    if doubt is LinkDoubt.OTHER_VEHICLE:
        others = list(panel_warnings.of_other_vehicles(connection, row).values())
        return str(_DO_NOT_SEND), f"{texts.why_other_vehicle(others)} {_may_be_more(connection, row)}".strip()
    if doubt is LinkDoubt.AMOUNTS:
        found = in_reconcile.mismatch(connection, row)
        return str(_DO_NOT_SEND), found.words[0] if found else ""
    return str(_DO_NOT_SEND), str(_STATE_NOT_KNOWN)


def for_support(connection: Connection, row: Link) -> str:
    """Write down for the service's support that money was taken with a failed link for the same challans; "" if not."""
    failed_id = taken_payments.newest_of_link(connection, row.id)
    failed = links.find(connection, failed_id) if failed_id else None
    if failed is None:
        return ""
    asked = driver_questions.newest_of_links(connection, [failed.id])[failed.id]
    return questions.of_money_taken(connection, failed, asked)[0]


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
            return ""
        case LinkDoubt.MONEY_TAKEN:
            return f"{_MONEY_WAS_TAKEN} {texts.DO_NOT_SEND}"
        case LinkDoubt.OTHER_VEHICLE:
            return texts.other_vehicle(list(panel_warnings.of_other_vehicles(connection, row).values()))
        case LinkDoubt.AMOUNTS:
            found = in_reconcile.mismatch(connection, row)
            return f"{found.words[0]} {texts.DO_NOT_SEND}" if found else ""
        case _:
            return str(texts.DOUBTS[doubt])

"""Build how the links of a plan reach their drivers: by driver, a message at a time, and as a sheet of QR codes.

A link goes to the driver who usually drives its vehicle. What is stored decides what is listed; what is doubtful about
a link holds it back, as in any other list. Before a message is sent its links are checked with the service.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.fleet import JobState
from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES, Language
from dashboard.domain.links import ACTIVE, is_live, is_paid
from dashboard.domain.phones import digits, shown
from dashboard.domain.registration import spaced
from dashboard.domain.sharing import Channel
from dashboard.domain.spreadsheets import Cell, defused
from dashboard.services.links import doubts
from dashboard.services.sharing.messages import facts_of
from dashboard.store.fleet import jobs, plan_drivers, plan_shares, plans
from dashboard.store.fleet.plans import LinkOfPlan
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.shares import Share
from dashboard.web.fleet import plan_texts as texts
from dashboard.web.fleet import review_texts, unsent_links
from dashboard.web.fleet import texts as fleet_texts
from dashboard.web.fleet.plan_page import find_plan
from dashboard.web.fleet.share_records import (
    CODES_OF_A_SHEET,
    DriverLinks,
    PlanMessage,
    PlanShare,
    SharedLink,
    Sheet,
    SheetCode,
    UndrivenVehicle,
)
from dashboard.web.links import doubt_words
from dashboard.web.shared import qr
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, format_amount
from dashboard.web.shared.records import StateWords
from dashboard.web.sharing import texts as sharing_texts
from dashboard.web.sharing.messages_sent import MOST_OF_A_MESSAGE, message_of
from dashboard.web.sharing.page import sent_now
from dashboard.web.sharing.wording import counted, pay_before

#: The QR codes of one page of the sheet.
CODES = 7 * CODES_OF_A_SHEET
#: The columns of the export; `{zone}` is that of moments, and `{currency}` that of amounts.
EXPORT_HEAD = (
    "Registration number",
    "Outcome",
    "Outcome code",
    "Challans",
    "To pay as reviewed ({currency})",
    "Amounts unknown",
    "Link",
    "State",
    "To pay ({currency})",
    "Ends ({zone})",
    "Payment URL",
    "Driver",
)
_EXPORT_BATCH = 500


def plan_share(plan_id: str) -> PlanShare | None:
    """Build the page; None when there is no plan that the person may see."""
    with current_services().store.read() as connection:
        found = find_plan(connection, plan_id)
        if found is None:
            return None
        created, parts = _created(connection, plan_id)
        came_to = plan_shares.shares(connection, plan_id)
        # The row of a driver says that more links are to come.
        unsent = replace(unsent_links.of_plan(connection, plan_id), to_come={}).words
        come = unsent_links.to_come(connection, plan_id)
        given, sent, chosen = given_to(connection, plan_id, created)
        counts = links.challan_counts(connection, created)
        doubtful = _doubts(connection, created)
    held = doubtful | _refusals(created)
    by_driver: dict[int, tuple[Driver, list[Link]]] = {}
    without: dict[str, list[SharedLink]] = {}
    for link in created:
        to = given[link.id]
        if len(to) == 1:
            by_driver.setdefault(to[0].id, (to[0], []))[1].append(link)
        else:
            nobody = _shared(link, parts, counts, held, texts.SEVERAL_DRIVERS if to else texts.NO_DRIVER)
            without.setdefault(nobody.rc, []).append(nobody)
    listed = [
        _driver_links(driver, of_driver, parts, counts, held, sent, come[driver.id])
        for driver, of_driver in by_driver.values()
    ]
    listed.sort(key=lambda each: (each.name, each.driver_id))
    return PlanShare(
        plan_id=plan_id,
        title=fleet_texts.title(found[0]),
        drivers=tuple(listed),
        without=tuple(UndrivenVehicle(_held_last(of_vehicle)) for of_vehicle in without.values()),
        chosen=frozenset(
            link.rc for link in created if link.rc in chosen and link.id not in sent and link.id not in held
        ),
        lacks=texts.not_here(came_to, found[0].state),
        unsent=unsent,
        checked_at=min((share.checked_at for share in came_to if share.checked_at), default=None),
    )


def plan_message(share: PlanShare, after: int) -> PlanMessage | None:
    """Build the message to the next driver after this place who has links that were not sent yet."""
    queue = [each for each in share.drivers if each.reachable]
    for number, driver in enumerate(queue, start=1):
        if number > after and driver.unsent:
            chosen = driver.unsent[:MOST_OF_A_MESSAGE]
            language, text = message_of(driver.driver_id, [each.id for each in chosen], fresh=False)
            return PlanMessage(
                plan_id=share.plan_id,
                driver=driver,
                number=number,
                queue=tuple(queue),
                links=chosen,
                text=text,
                language=language.code,
                language_name=language.name,
                following=url_for("fleet.plan_message", plan_id=share.plan_id, after=number),
                beside=texts.unsent(0, share.without_driver, share.without_phone, share.to_check),
            )
    return None


def sheet(plan_id: str, after: int) -> Sheet | None:
    """Build a page of the sheet of QR codes after so many of them; None when there is no such plan.

    The codes of a driver follow each other, in the order of their names; what cannot be printed comes last.
    """
    with current_services().store.read() as connection:
        found = find_plan(connection, plan_id)
        if found is None:
            return None
        created, parts = _created(connection, plan_id)
        lacks = texts.not_here(plan_shares.shares(connection, plan_id), found[0].state)
        given, _sent, _chosen = given_to(connection, plan_id, created)
        counts = links.challan_counts(connection, created)
        doubtful = _doubts(connection, created)
    held = doubtful | _refusals(created)
    codes = [_code(each, given.get(each.id, []), parts, held, counts[each.id] or 0) for each in created]
    codes.sort(key=lambda each: (each.code is None, not each.driver, each.driver))
    here = codes[after : after + CODES]
    address = partial(url_for, "fleet.plan_sheet", plan_id=plan_id)
    return Sheet(
        plan_id=plan_id,
        title=fleet_texts.title(found[0]),
        codes=tuple(here),
        lacks=lacks,
        first=address() if after else None,
        following=address(after=after + CODES) if codes[after + CODES :] else None,
    )


def exported(plan_id: str) -> Iterator[list[Cell]]:
    """Yield a row for each link of a plan, whatever became of it; the store is read in batches."""
    services, after = current_services(), 0
    while True:
        with services.store.read() as connection:
            listed = plans.links_of(connection, plan_id, after=after, limit=_EXPORT_BATCH)
            known = links.find_all(connection, [each.link_id for each in listed if each.link_id])
            usual = drivers.of_vehicles(connection, {each.rc for each in listed})
            job = jobs.find(connection, plan_id)
        state = job.state if job else JobState.DONE
        for each in listed:
            link = known.get(each.link_id or "")
            yield [
                defused(each.rc),
                texts.state_of(each, state).shown,
                texts.key_of(each.outcome, each.intent_state),
                len(each.challan_ids),
                each.to_pay.total,
                each.to_pay.unknown,
                link.id if link else None,
                defused(shared_texts.state_of(link).shown) if link else None,
                link.total if link else None,
                link.expires_at if link else None,
                defused(link.payment_url) if link else None,
                defused(", ".join(driver.name for driver in usual.get(each.rc, ()))),
            ]
        if len(listed) < _EXPORT_BATCH:
            return
        after = listed[-1].position


def _created(connection: Connection, plan_id: str) -> tuple[list[Link], dict[str, tuple[int, int]]]:
    """Return the links of a plan that exist, in their order, and which of the links of its vehicle each is."""
    listed = plans.created(connection, plan_id)
    known = links.find_all(connection, [each.link_id for each in listed if each.link_id])
    parts = _parts(connection, plan_id, listed)
    return [known[each.link_id] for each in listed if each.link_id in known], parts


def _doubts(connection: Connection, created: Sequence[Link]) -> dict[str, str]:
    """Return by link what to check before it is given to anybody, as its own page says."""
    found = doubts.before_sending(connection, created)
    return {
        each.id: doubt_words.sentence(connection, each, found[each.id]) or str(texts.NOT_TO_PRINT)
        for each in created
        if each.id in found
    }


def _refusals(created: Sequence[Link]) -> dict[str, str]:
    """Return by link why it must not be given to anybody."""
    refused = current_services().sharing.refusals(created)
    return {link_id: sharing_texts.not_shareable(why) for link_id, why in refused.items()}


def _parts(connection: Connection, plan_id: str, listed: Sequence[LinkOfPlan]) -> dict[str, tuple[int, int]]:
    """Return by link which of the links of its vehicle it is, and of how many."""
    places = plans.places(connection, plan_id, {each.rc for each in listed})
    return {each.link_id: places[each.position] for each in listed if each.link_id}


def _driver_links(
    driver: Driver,
    listed: Sequence[Link],
    parts: dict[str, tuple[int, int]],
    counts: Mapping[str, int | None],
    held: dict[str, str],
    sent: dict[str, Share],
    to_come: int,
) -> DriverLinks:
    shared = [_shared(each, parts, counts, held, "", sent.get(each.id), driver.id) for each in listed]
    sends = min(sum(not each.why and each.sent_at is None for each in shared), MOST_OF_A_MESSAGE)
    return DriverLinks(
        driver_id=driver.id,
        name=driver.name,
        phone=shown(driver.phone) if driver.phone else "",
        number=digits(driver.phone),
        links=_held_last(shared),
        said=sharing_texts.sent(Channel.WHATSAPP, driver.name),
        sends=sends if sends < len(shared) + to_come else 0,
        to_come=to_come,
    )


def _held_last(listed: Sequence[SharedLink]) -> tuple[SharedLink, ...]:
    """Put the links that must not be given to anybody after those that are."""
    return tuple(sorted(listed, key=lambda each: bool(each.why)))


def _shared(
    link: Link,
    parts: dict[str, tuple[int, int]],
    counts: Mapping[str, int | None],
    held: dict[str, str],
    words: str,
    sent: Share | None = None,
    driver_id: int | None = None,
) -> SharedLink:
    amount = format_amount(link.total) if link.total is not None else str(texts.AMOUNT_UNKNOWN)
    is_message = sent is not None and (sent.channel, sent.driver_id) == (Channel.WHATSAPP, driver_id)
    undoable = sent if is_message and sent_now(sent) else None
    return SharedLink(
        id=link.id,
        rc=link.rc or "",
        plate=spaced(link.rc or ""),
        part=review_texts.part(*parts[link.id]),
        total=link.total,
        amount=amount,
        why=held.get(link.id, ""),
        to_check=link.id in held and is_live(link.status),
        no_driver=str(words),
        sent_at=sent.at if sent else None,
        ends_at=link.expires_at if is_live(link.status) else None,
        share_id=undoable.id if undoable else None,
        challans=counts.get(link.id) or 0,
        state=_state_unless_active(link),
        is_paid=is_paid(link.status),
    )


def _state_unless_active(link: Link) -> StateWords | None:
    return shared_texts.state_of(link) if link.status != ACTIVE else None


def given_to(
    connection: Connection, plan_id: str, created: Sequence[Link]
) -> tuple[dict[str, list[Driver]], dict[str, Share], dict[str, Driver]]:
    """Return whom each link of a plan goes to, its newest share, and who was chosen in the plan for which vehicle.

    Who was given a link last goes before who was chosen here, and they before who usually drives its vehicle, of whom
    there may be several.
    """
    rcs = {link.rc for link in created if link.rc}
    usual, chosen = drivers.of_vehicles(connection, rcs), plan_drivers.of_vehicles(connection, plan_id, rcs)
    sent = shares.newest_of_links(connection, [link.id for link in created])
    present = drivers.present(connection, {each.driver_id for each in sent.values() if each.driver_id})

    def to(link: Link) -> list[Driver]:
        share, rc = sent.get(link.id), link.rc or ""
        if share and share.driver_id in present:
            return [present[share.driver_id]]
        return [chosen[rc]] if rc in chosen else usual.get(rc, [])

    return {link.id: to(link) for link in created}, sent, chosen


def _named(language: Language) -> str:
    """Name a language for whoever prints a code, who may not read it."""
    return language.name if language.name == language.english else f"{language.name} ({language.english})"


def _code(
    link: Link,
    given: Sequence[Driver],
    parts: dict[str, tuple[int, int]],
    held: dict[str, str],
    challans: int,
) -> SheetCode:
    (number, of), names = parts[link.id], ", ".join(each.name for each in given)
    plate, part = spaced(link.rc or ""), review_texts.part(number, of)
    if link.id in held or not link.payment_url:
        check = link.id if is_live(link.status) else ""
        state = _state_unless_active(link)
        return SheetCode(plate, part, names, held.get(link.id) or str(texts.NOT_TO_PRINT), check, state)
    is_given = len(given) == 1
    language = LANGUAGES.get(given[0].language if is_given else "", DEFAULT_LANGUAGE)
    facts = facts_of(link, challans, names)
    return SheetCode(
        plate,
        part,
        names,
        "",
        place=language.part.format(number=number, of=of) if of > 1 else "",
        challans=counted(language, challans),
        amount=language.unknown_amount if facts.amount is None else format_amount(facts.amount),
        asks=language.scan_to_pay,
        until=pay_before(language, facts.deadline),
        language=language.code,
        drivers_language=_named(language) if is_given else "",
        code=qr.draw(link.payment_url),
    )

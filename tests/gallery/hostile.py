"""Bring an office into the state in which everybody's words, and the service's, try to become markup."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from dashboard.domain.roles import Role
from dashboard.services.accounts.audit import COMMAND_LINE
from tests.gallery.links import ended, review_of_replacement
from tests.gallery.reconciliation import marks
from tests.gallery.requests import needs_attention
from tests.gallery.sharing import sends_file, sends_in_queue
from tests.gallery.workplace import Pages, Workplace, answer, seen_by
from tests.support.lanes import take_parts
from tests.support.people import Somebody
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.accounts.test_people import invite
from tests.web.sharing.steps import adds_a_driver, prepares, shares

#: Leaves an attribute, an element or a script, where it is not escaped.
MARKUP = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>"
#: Also a template, a change of the direction of writing, and a word without an end.
_WORDS = f"{MARKUP} {{{{ 7*7 }}}} \u202egnp.exe {'Venkatasubramanian' * 5}"
_EVE = Somebody("eve@example.com", MARKUP, Role.ADMIN)
_COLUMNS = ("Registration number", "RC type", "City", "Driver", "Phone", "Cost centre", "Note")


def hostile(office: Workplace) -> Pages:
    """Write markup wherever anybody may write, and let the service answer with it."""
    levers, eve = office.levers, office.signed_in(_EVE)
    levers.set_organization(name=MARKUP)
    levers.add_city(cityName=MARKUP, stateName=MARKUP, address=_WORDS)
    levers.add_rc_type("TANK", MARKUP)
    live, paid, odd, unsafe = (_link(office, number) for number in range(1, 5))
    driver = adds_a_driver(eve, name=MARKUP, note=_WORDS, vehicles=_rc(1))
    for link_id in (live, paid):
        shares(eve, prepares(eve, link_id, driver=driver), link_id, "whatsapp")
    levers.pay(paid)
    levers.set_link(odd, status=MARKUP, raw={"paymentModeOptions": [{"paymentMode": MARKUP}]})
    levers.set_link(unsafe, raw={"paymentUrl": f"javascript:alert(1)//{MARKUP}"})
    for link_id in (paid, odd, unsafe):
        steps.check(eve, link_id)
    fields = {"cost_centre": MARKUP, "trip": MARKUP, "customer": MARKUP, "note": _WORDS}
    for address in (f"/links/{live}", f"/links/{paid}", f"/vehicles/{_rc(1)}"):
        eve.page(address).submit("Save details", **fields)
    eve.page("/messages").submit("Save message", body=f"{MARKUP} {{driver}} {{vehicle}} {{url}}")
    eve.page("/links?state=PAID&vehicle=MH12").submit("Save the view", name=MARKUP)
    eve.page("/service/assumptions").submit("Does not work", note=_WORDS)
    invite(eve, name=MARKUP, email="mallory@example.com")
    run_id, plan_id = _fleet_work(office, eve)
    request = needs_attention(office, 1, gone=True)
    steps.release(eve, request, _WORDS)
    old, late = (ended(office, number) for number in (1, 2))
    new = steps.link_of(review_of_replacement(office, old).submit("Create payment link"))
    for link_id in (old, late):
        levers.pay(link_id)
        office.services.link_poller.refresh(link_id)
    eve.page(f"/links/{old}").submit("Save the note", note=_WORDS)
    marks(eve.page("/reconcile"), "late", _WORDS[:400])()
    office.later(minutes=20)
    known = office.app.extensions["people"]
    office.services.follow_ups.ask([odd], known.find(_EVE.email).id)  # Unasked it does not wait there.
    sends_in_queue(eve.page("/follow-up"), odd, "Add the note", note=_WORDS)()
    stranger, saves = office.visitor(), office.signed_in(_EVE)
    form, drivers, signing_in = saves.page(f"/links/{live}"), eve.page(f"/drivers/{driver}"), stranger.page("/sign-in")
    known.end_sessions(known.find(_EVE.email), by=None, origin=COMMAND_LINE)
    form.submit("Save details", **(fields | {"trip": "T-1"}))
    saves.signs_in(_EVE.email)
    eve.is_signed_in(_EVE.email)
    today = f"{office.clock():%Y-%m-%d}"
    query = {"query_string": {"q": MARKUP}}
    pages = {
        "home": "/",
        "a vehicle": f"/vehicles/{_rc(1)}",
        "a vehicle with an open selection": f"/vehicles/{_rc(6)}",
        "an active link": f"/links/{live}",
        "a paid link": f"/links/{paid}",
        "the receipt": f"/links/{paid}/receipt",
        "a link of an odd state": f"/links/{odd}",
        "an unsafe address": f"/links/{unsafe}",
        "share": f"/links/{live}/share",
        "links": "/links",
        "follow-up": "/follow-up",
        "reminders": "/follow-up/reminders",
        "drivers": "/drivers",
        "a driver": f"/drivers/{driver}",
        "messages": "/messages",
        "a released request": request,
        "a link beside a paid one": f"/links/{new}",
        "reconcile": "/reconcile",
        "statement": f"/reconcile/statement?from={today}&to={today}",
        "overview": "/overview",
        "fleet": "/fleet",
        "results": f"/fleet/runs/{run_id}",
        "the review of the fleet": f"/fleet/runs/{run_id}/review",
        "a plan": f"/fleet/plans/{plan_id}",
        "share a plan": f"/fleet/plans/{plan_id}/share",
        "the messages of a plan": f"/fleet/plans/{plan_id}/share/messages",
        "the QR codes of a plan": f"/fleet/plans/{plan_id}/sheet",
        "people": "/people",
        "a person": f"/people/{known.find(_EVE.email).id}",
        "audit": "/audit",
        "service": "/service",
        "service, checks": "/service/assumptions",
    }
    return {
        **{name: seen_by(eve, address) for name, address in pages.items()},
        "the review": _reviewed(office),
        "a first search": answer(eve.page("/"), "Search", rc_number="KA05MN7788"),
        "a message": answer(eve.page(f"/links/{live}/share?driver={driver}"), "Update message", language="en"),
        "a driver that somebody changed": answer(drivers, "Save the driver", name=_WORDS[:99], phone="12"),
        "lines with faults": answer(eve.page("/fleet"), "Search all", numbers=_table(MARKUP)),
        "a saved form": seen_by(saves, "/kept"),
        "a file of drivers": sends_file(
            eve.page("/drivers/import"), _lines(("Name", "Phone", "Language"), (MARKUP, "12", MARKUP))
        ),
        "a search": answer(eve.page("/"), "Search", rc_number=MARKUP),
        "a sign-in": answer(signing_in, "Sign in", email=MARKUP, password="wrong"),
        "an invitation": answer(eve.page("/people"), "Invite", name=MARKUP, email=MARKUP),
        "find": lambda: eve.get("/find", **query).text,
        "links, filtered": lambda: eve.get("/links", **query).text,
        "vehicles, filtered": lambda: eve.get("/vehicles", **query).text,
        "audit, filtered": lambda: eve.get("/audit", query_string={"object": MARKUP, "from": MARKUP}).text,
    }


def _rc(number: int) -> str:
    return f"MH12HO{number:04}"


def _vehicle(office: Workplace, number: int) -> str:
    texts = {"offenseDetails": _WORDS, "challanPlace": _WORDS, "state": MARKUP, "challanType": MARKUP}
    numbers = [{"challanNo": f"{MARKUP}{number}{letter}"} for letter in "AB"]
    rejected = {"challanNo": f"{MARKUP}{number}C", "status": MARKUP}
    office.levers.add_vehicle(_rc(number), [{**texts, **each} for each in (*numbers, rejected)])
    return _rc(number)


def _link(office: Workplace, number: int) -> str:
    return office.clerk.creates_a_link(_vehicle(office, number))


def _reviewed(office: Workplace) -> str:
    office.clerk.comes_to_the_review(rc := _vehicle(office, 6))
    return f"/vehicles/{rc}/review"


def _fleet_work(office: Workplace, eve: WebClient) -> tuple[str, str]:
    """Search two fleets of a hostile name, and create the links of one; return the ids of the other and of the plan."""
    runs = []
    for number in (5, 7):
        draft = eve.read(eve.page("/fleet").submit("Search all", numbers=_table(_vehicle(office, number))))
        run_id = draft.submit("Search 1 vehicle", title=MARKUP).headers["Location"].rpartition("/")[2]
        take_parts(office.services, run_id)
        runs.append(run_id)
    draft.submit("Save as a list", name=MARKUP)
    plan_id = office.clerk.plans_links(runs[0])
    take_parts(office.services, plan_id)
    return runs[1], plan_id


def _table(rc: str) -> str:
    """Return a line of a table about a vehicle, as a spreadsheet copies it."""
    return _lines(_COLUMNS, (rc, "", "", MARKUP, "98765 43219", MARKUP, MARKUP))


def _lines(*lines: Iterable[str]) -> str:
    file = StringIO()
    csv.writer(file).writerows(lines)
    return file.getvalue()

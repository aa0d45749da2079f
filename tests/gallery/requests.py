"""Bring an office into the states of a creation: reviews that are refused, and requests with any outcome."""

from __future__ import annotations

from threading import Thread
from typing import Any

from dashboard.translations import languages
from tests.gallery.workplace import Answer, Pages, Workplace, after, answer, seen_by
from tests.support.people import ASHA
from tests.support.waiting import until
from tests.web import steps

_WHY = "ड्राइवर डिपो पर रुका है।"


def reviews(office: Workplace) -> Pages:
    """Refuse reviews of a vehicle whose challans others hold, or that the source lists no more."""
    levers, staff, manager = office.levers, office.staff, office.manager
    counts = (130, 4, 2, 8, 6)
    large, taken, gone, linked, split = (_vehicle(office, f"MH12RV{n:04}", count) for n, count in enumerate(counts, 1))
    steps.searches(staff, large)
    review = steps.reviewed(staff, rc=large)
    ticks = [box["value"] for box in steps.boxes(staff.page(f"/vehicles/{large}")).values()]
    steps.searches(staff, taken)
    first, *_ = steps.boxes(staff.page(f"/vehicles/{taken}"))
    mine = steps.reviewed(manager, rc=taken)
    levers.fault("create_link", "cut", when="after")
    steps.create(staff, first, rc=taken)
    on_links = {}
    for rc, lots in ((linked, [slice(None)]), (split, [slice(2), slice(2, 4)])):
        steps.searches(staff, rc)
        on_links[rc] = steps.reviewed(manager, rc=rc)
        numbers = list(steps.boxes(staff.page(f"/vehicles/{rc}")))
        for lot in lots:
            steps.create(staff, *numbers[lot], rc=rc)
    steps.searches(staff, gone)
    listed = steps.reviewed(staff, rc=gone)
    for each in levers.vehicle(gone)["challans"]:
        levers.set_challan(each["id"], gone=True)
    steps.refresh(staff, gone)
    return {
        "more than a link holds": seen_by(staff, f"/vehicles/{large}"),
        "the review of the first hundred": seen_by(staff, f"/vehicles/{large}/review"),
        "the review, hours that are wrong": answer(review, "Create payment link", hours="12"),
        "the review, more than a link holds": answer(review, "Create payment link", challan=ticks),
        "a vehicle, nothing ticked": answer(manager.page(f"/vehicles/{large}"), "Review and create", challan=None),
        "the review, held by a colleague": answer(mine, "Create payment link"),
        "the review, all on the link of a colleague": answer(on_links[linked], "Create payment link"),
        "the review, some on links of a colleague": answer(on_links[split], "Create payment link"),
        "a vehicle of two links": seen_by(staff, f"/vehicles/{split}"),
        "the review, nothing is listed any more": answer(listed, "Create payment link"),
        "a vehicle whose challans are gone": seen_by(staff, f"/vehicles/{gone}"),
    }


def requests(office: Workplace) -> Pages:
    """Bring requests to each outcome, and release the challans of those whose outcome nobody knows."""
    levers, staff, manager = office.levers, office.staff, office.manager
    recovered = _unclear(office, 1, when="after")
    _looks(office, recovered, 5)
    not_created = _unclear(office, 2, when="before")
    _looks(office, not_created, 0, 130)
    _looks(office, _unclear(office, 3, when="before"), 0, 130)
    levers.set_challan(_challans(office, 3)[0], raw={"prepaid": True})
    not_sent = _asks_again(office, 3)
    levers.break_a4()
    _looks(office, _asks(office, 4), 0, 130)
    levers.commit_late()
    attached = _asks_again(office, 4)
    levers.fault("create_link", "status", status=400)
    rejected = _asks(office, 5)
    waiting, failing, released, held_again = (needs_attention(office, n, gone=True) for n in range(6, 10))
    for address in (released, held_again):
        steps.release(manager, address, _WHY)
    steps.create(staff, "RQ0009B", rc=_rc(9))
    unknown = _unclear(office, 10, when="before")
    asked = manager.page(waiting)
    return {
        "home": seen_by(staff, "/"),
        "sending": _sending(office),
        "unknown": seen_by(staff, unknown),
        "unknown, as a manager": seen_by(manager, unknown),
        "recovered": seen_by(staff, recovered),
        "attached to another link": seen_by(staff, attached),
        "not created": seen_by(staff, not_created),
        "not sent": seen_by(staff, not_sent),
        "rejected": seen_by(staff, rejected),
        "needs attention": seen_by(staff, waiting),
        "to release": seen_by(manager, waiting),
        "to release, a reason that is too short": answer(asked, "Release the challans", reason="जल्दी"),
        "to release, the service fails": after(
            lambda: levers.fault("search", "cut", count=3),
            answer(manager.page(failing), "Release the challans", reason=_WHY),
        ),
        "released": seen_by(staff, released),
        "released, and held again": seen_by(manager, held_again),
        "a vehicle whose challans are reserved": seen_by(manager, f"/vehicles/{_rc(6)}"),
        "the review of released challans": seen_by(manager, steps.reviewed(manager, rc=_rc(8)).response.request.path),
    }


def released_and_found(office: Workplace, number: int) -> str:
    """Release a request, create another link, and let the service create the first one late; return its address."""
    address = needs_attention(office, number, raw={"prepaid": True})
    steps.release(office.manager, address, _WHY)
    office.levers.break_a2()
    steps.create(office.staff, f"RQ{number:04}B", rc=_rc(number))
    office.levers.commit_late()
    _looks(office, address, 10)
    return address


def _rc(number: int) -> str:
    return f"MH12RQ{number:04}"


def _challans(office: Workplace, number: int) -> list[str]:
    """Return the ids of the challans of a vehicle."""
    return [challan["id"] for challan in office.levers.vehicle(_rc(number))["challans"]]


def _asks(office: Workplace, number: int) -> str:
    """Ask for a link for the challans of a vehicle of its own; return the address of the request."""
    challans = [{"challanNo": f"RQ{number:04}{letter}", "challanAmount": 500} for letter in "ABC"]
    office.levers.add_vehicle(_rc(number), challans)
    steps.searches(office.staff, _rc(number))
    return steps.request_of(steps.create(office.staff, f"RQ{number:04}A", f"RQ{number:04}B", rc=_rc(number)))


def _asks_again(office: Workplace, number: int) -> str:
    review = office.staff.page(f"/vehicles/{_rc(number)}/review")
    return steps.request_of(review.submit("Create payment link"))


def _unclear(office: Workplace, number: int, *, when: str) -> str:
    """Ask for a link, and lose the answer before or after the service has created it."""
    office.levers.fault("create_link", "cut", when=when)
    return _asks(office, number)


def needs_attention(office: Workplace, number: int, **change: Any) -> str:
    """Ask for a link that the service may still create, change a challan there, and look in vain."""
    office.levers.break_a4()
    address = _asks(office, number)
    office.levers.set_challan(_challans(office, number)[0], **change)
    _looks(office, address, 180, *[10] * 5)
    assert steps.state_of_request(office.staff.page(address)) == "NEEDS_ATTENTION"
    return address


def _looks(office: Workplace, address: str, *waits: float) -> None:
    """Press "Check now" after each of these times, in seconds."""
    for seconds in waits:
        office.later(seconds=seconds)
        office.staff.page(address).submit("Check now")


def _sending(office: Workplace) -> Answer:
    """Return the page of a request while its answer is under way: of another request for each language."""
    colleague = office.signed_in(ASHA)
    reviews = []
    for number in range(len(languages())):
        _vehicle(office, rc := f"MH12SE{number:04}", 2)
        steps.searches(colleague, rc)
        reviews.append((rc, steps.reviewed(colleague, rc=rc)))

    def show() -> str:
        rc, review = reviews.pop()
        office.levers.fault("create_link", "delay", seconds=1.5)
        sending = Thread(target=review.submit, args=("Create payment link",))
        sending.start()
        request = "main a[href^='/requests/']"
        until(lambda: office.staff.page(f"/vehicles/{rc}").all(request))
        html = office.html(seen_by(office.staff, str(office.staff.page(f"/vehicles/{rc}").all(request)[0]["href"])))
        sending.join()
        return html

    return show


def _vehicle(office: Workplace, rc: str, count: int) -> str:
    office.levers.add_vehicle(rc, [{"challanNo": f"{rc[-6:]}{n:03}", "challanAmount": 500} for n in range(count)])
    return rc

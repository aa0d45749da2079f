"""Bring an office into the states of sharing: follow-up, drivers, and the messages that they get."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO

from dashboard.services.accounts.audit import COMMAND_LINE
from tests.gallery.workplace import Answer, Pages, Workplace, after, answer, html_of, seen_by
from tests.support.page import Page, words
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, opens_send_to, prepares, shares

_FILE = (
    "Name,Phone,Email,Language,Usual vehicles,Note\r\n"
    "Ramesh K.,+91 98765-43210,,,KA05MN4321,\r\n"
    "Lakshmi Devi,98765 43211,,Kannada,MH12 AB 1002,\r\n"
    ",98765 43212,,,,\r\n"
    "Ravi,12,,,,\r\n"
    "Mohan,98765 43213,,Klingon,,\r\n"
    "Sunil,,,,,\r\n"
    "Anil Shinde,98765 43214,anil@,,,\r\n"
    "Suresh Patil,98765 43215,,Marathi,MH12,\r\n"
    "Sunil Rane,98765 43220,,,,\r\n"
)
_KNOWN = "Name,Phone\r\nSunil Rane,98765 43220\r\n"


def follow_up(office: Workplace) -> Pages:
    """Fill each group of the follow-up queue, and remind a driver."""
    staff, manager = office.staff, office.manager
    drivers = {n: adds_a_driver(staff, name=name, phone=phone, vehicles=cars) for n, name, phone, cars in _DRIVERS}
    ends_today, shared, snoozed, noted, ended, not_sent, unnamed, his, his_noted, his_later, withheld = (
        _link(office, number) for number in range(1, 12)
    )
    office.levers.set_link(withheld, raw={"paymentUrl": None})
    steps.check(staff, withheld)
    _ends_in(office, his_noted, hours=30)
    for number, link_id in ((1, ends_today), (2, shared), (3, snoozed), (4, noted), (8, his)):
        shares(staff, prepares(staff, link_id, driver=drivers[number]), link_id, "whatsapp")
        _ends_in(office, link_id, hours=20 + number)
    office.levers.expire(ended)
    steps.check(staff, ended)
    office.later(hours=13)
    sends_in_queue(staff.page("/follow-up"), snoozed, "Snooze 4 hours")()
    sends_in_queue(staff.page("/follow-up"), noted, "Add the note", note="दो बार फ़ोन किया; आज रात डिपो पर भुगतान करेंगे।")()
    sends_in_queue(staff.page("/follow-up"), his_noted, "Add the note", note="दो बार फ़ोन किया; डिपो पर भुगतान करेगा।")()
    reminders = str(staff.page("/follow-up").all("a[href^='/follow-up/reminders']")[0]["href"])
    reminder = staff.page(reminders)
    first = reminder.form(words(reminder.all("#reminder button")[0].get_text()))
    sent = first.submit(headers={"Referer": f"http://localhost{reminders}"})
    for link_id in (his, his_noted, his_later):
        prepares(staff, link_id, driver=drivers[8])
    return {
        "follow-up": seen_by(manager, "/follow-up"),
        "follow-up, after a reminder": seen_by(staff, "/follow-up"),
        "follow-up, a note that is too long": sends_in_queue(
            staff.page("/follow-up"), noted, "Add the note", note="x" * 501
        ),
        "follow-up, a new driver who is refused": answer(
            opens_send_to(staff, unnamed), "WhatsApp MH12 FU 0007", to="Sunil Rane, 98765"
        ),
        "choose drivers": seen_by(staff, "/follow-up/drivers"),
        "choose drivers, somebody is suggested": answer(
            staff.page("/follow-up/drivers"), "Save drivers", **{f"driver-{_rc(7)}": "Yad"}
        ),
        "reminders that are done": seen_by(staff, reminders.replace("/reminders", "")),
        "home": seen_by(staff, "/"),
        "the reminder": seen_by(staff, sent.headers["Location"]),
        "the message about several links": seen_by(
            staff, f"/links/{his}/nudge?driver={drivers[8]}&also={his_noted}&also={his_later}"
        ),
        "reminders": seen_by(manager, reminders),
        "a reminder that was sent": seen_by(staff, str(reminder.one("#reminder")["hx-get"])),
        "links": "/links",
        "drivers": seen_by(manager, "/drivers"),
        "a driver whose link was not sent": seen_by(staff, f"/drivers/{drivers[6]}"),
        "share a link that was shared": answer(
            manager.page(f"/links/{ends_today}/share?driver={drivers[1]}"), "Update message"
        ),
        "a link that was not sent": seen_by(staff, f"/links/{not_sent}"),
    }


def sharing(office: Workplace) -> Pages:
    """Share links with drivers, and change what is known of them."""
    levers, staff, manager = office.levers, office.staff, office.manager
    ramesh = adds_a_driver(staff, vehicles=_rc(1), email="ramesh@fleet.example", note="Night shift only")
    left, forgotten, bare = (
        adds_a_driver(staff, name=name, phone=phone, vehicles="")
        for name, phone in (("Sunil Rane", "98765 43220"), ("Kiran Rao", "98765 43221"), ("Lakshmi Devi", ""))
    )
    live, paid, nobody, stale = (_link(office, number) for number in range(1, 5))
    for link_id, driver in ((live, ramesh), (paid, ramesh)):
        shares(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
    for link_id in (paid, nobody):
        levers.pay(link_id)
        steps.check(staff, link_id)
    prepares(staff, stale, driver=ramesh)
    unusual, spare, for_a_number, for_nobody = (_link(office, number) for number in range(5, 9))
    levers.issue_challan(_rc(2), challanNo="FU0002C", challanAmount=500, seen=True)
    levers.issue_challan(_rc(2), challanNo="FU0002D", challanAmount=None, seen=True)
    steps.searches(staff, _rc(2))
    shares(staff, prepares(staff, unusual, driver=ramesh), unusual, "whatsapp")
    staff.page(f"/drivers/{left}").submit("Driver has left")
    office.services.forgetting.forget(office.services.forgetting.find("Kiran Rao"), COMMAND_LINE)
    office.later(minutes=3)
    driver, messages = manager.page(f"/drivers/{ramesh}"), manager.page("/messages")
    staff.page(f"/drivers/{ramesh}").submit("Save the driver", phone="98765 43211", note="")
    office.admin.page("/messages").submit("Save message", body="Pay for {vehicle}: {url}")
    page, bare_page = (staff.page(f"/links/{live}/share?driver={each}") for each in (ramesh, bare))
    wrong = {"name": "", "phone": "12", "email": "ramesh@", "vehicles": "!!", "language": "en"}
    for link_id, number in ((for_a_number, "98765 43299"), (for_nobody, "")):
        button = "WhatsApp to the chosen driver , in a new tab"
        staff.page(f"/links/{link_id}").submit(button, to=number)
    return {
        "home": seen_by(staff, "/"),
        "a link opened for a number": seen_by(staff, f"/links/{for_a_number}"),
        "a link opened for nobody": seen_by(staff, f"/links/{for_nobody}"),
        "links to follow up whose messages were opened": seen_by(staff, "/follow-up"),
        "links whose messages were opened": seen_by(staff, "/links"),
        "the message opened for a number": seen_by(staff, f"/links/{for_a_number}/nudge?driver=0&number=98765+43299"),
        "the message opened for nobody": seen_by(staff, f"/links/{for_nobody}/nudge?driver=0"),
        "share a link opened for a number": seen_by(staff, f"/links/{for_a_number}/share"),
        "a message": answer(page, "Update message", language="en"),
        "a message to somebody else": answer(staff.page(f"/links/{spare}/share"), "Update message", to="98765 432"),
        "a message to somebody new": answer(
            staff.page(f"/links/{spare}/share"), "Update message", to="Vijay More, 98765 43299"
        ),
        "a message in Tamil": answer(bare_page, "Update message", language="ta"),
        "a message to a driver who is not the usual one": answer(
            staff.page(f"/links/{unusual}/share?driver={ramesh}"), "Update message", language="mr"
        ),
        "a message that was prepared minutes ago": seen_by(staff, f"/links/{stale}/share"),
        "nothing was shared": after(
            lambda: levers.fault("link_status", "cut", count=3),
            answer(staff.page(f"/links/{stale}/share?driver={ramesh}"), "Update message"),
        ),
        "the QR code": seen_by(staff, f"/links/{live}/qr"),
        "a link with a usual driver": seen_by(staff, f"/links/{live}"),
        "a link whose driver is to be chosen": seen_by(staff, f"/links/{spare}"),
        "a paid link of a vehicle with more challans": seen_by(staff, f"/links/{paid}"),
        "the receipt": seen_by(staff, f"/links/{paid}/receipt"),
        "the receipt of nobody": seen_by(staff, f"/links/{nobody}/receipt"),
        "drivers": seen_by(staff, "/drivers"),
        "drivers, for a vehicle": seen_by(staff, f"/drivers?vehicle={_rc(9)}"),
        "a driver who was just added": seen_by(staff, f"/drivers?added={ramesh}"),
        "a new driver, fields that are wrong": answer(staff.page("/drivers"), "Add the driver", **wrong),
        "a driver": seen_by(staff, f"/drivers/{ramesh}"),
        "a driver, fields that are wrong": answer(staff.page(f"/drivers/{bare}"), "Save the driver", **wrong),
        "a driver that a colleague changed": answer(driver, "Save the driver", note="दिन की पाली", vehicles=""),
        "a driver without a phone": seen_by(staff, f"/drivers/{bare}"),
        "a driver who has left": seen_by(staff, f"/drivers/{left}"),
        "a forgotten driver": seen_by(manager, f"/drivers/{forgotten}"),
        "drivers from a file, with faults": sends_file(manager.page("/drivers/import"), _FILE),
        "drivers from a file, one left out": sends_file(manager.page("/drivers/import"), _FILE, omit="2"),
        "drivers from a file, all of them known": sends_file(manager.page("/drivers/import"), _KNOWN),
        "drivers from a file that cannot be read": sends_file(manager.page("/drivers/import"), ""),
        "messages, as staff": seen_by(staff, "/messages"),
        "messages": seen_by(manager, "/messages"),
        "a message without an address": answer(messages, "Save message", body="Pay at once."),
        "a message that a colleague changed": answer(
            messages, "Save message", body="Hello {driver}, pay for {vehicle} at {url}"
        ),
    }


def _rc(number: int) -> str:
    return f"MH12FU{number:04}"


_DRIVERS = (
    (1, "Ramesh Yadav", "98765 43210", _rc(1)),
    (2, "Anil Shinde", "98765 43211", _rc(2)),
    (3, "Lakshmi Devi", "98765 43212", _rc(3)),
    (4, "Suresh Patil", "98765 43213", _rc(4)),
    (6, "Mohan Kale", "98765 43214", _rc(6)),
    # One message names the links of all three.
    (8, "Imran Shaikh", "98765 43215", f"{_rc(8)}, {_rc(9)}, {_rc(10)}"),
)


def _link(office: Workplace, number: int) -> str:
    challans = [{"challanNo": f"FU{number:04}{letter}", "challanAmount": 500} for letter in "AB"]
    office.levers.add_vehicle(_rc(number), challans)
    steps.searches(office.staff, _rc(number))
    return steps.link_of(steps.create(office.staff, rc=_rc(number)))


def _ends_in(office: Workplace, link_id: str, *, hours: int) -> None:
    office.levers.set_link(link_id, expiresAt=f"{office.clock() + timedelta(hours=hours):%Y-%m-%dT%H:%M:%S}Z")
    steps.check(office.staff, link_id)


def _form_of(queue: Page, link_id: str, button: str) -> tuple[str, dict[str, str]]:
    """Return the address and the fields of a form of a link that waits in the queue."""
    [entry] = queue.all(f"[data-links~='{link_id}']")
    for each in entry.select("form button"):
        form = each.find_parent("form")
        if form and link_id in str(form["action"]) and words(each.get_text()).startswith(button):
            named = [*form.select("input[name]"), each]
            return str(form["action"]), {
                str(one["name"]): str(one.get("value", "")) for one in named if one.get("name")
            }
    raise AssertionError(f"no button {button!r}")


def sends_in_queue(queue: Page, link_id: str, button: str, **fields: str) -> Answer:
    action, found = _form_of(queue, link_id, button)
    return lambda: html_of(queue.client, queue.client.post(action, data=found | fields))


def sends_file(page: Page, content: str, **more: str) -> Answer:
    """Choose a file of drivers, and send it."""
    token = page.one("meta[name=csrf-token]")["content"]

    def show() -> str:
        fields = {"csrf_token": token, "file": (BytesIO(content.encode()), "drivers.csv")} | more
        return html_of(page.client, page.client.post("/drivers/import", data=fields))

    return show

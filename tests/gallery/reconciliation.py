"""Bring an office into the states of the reconciliation page: discrepancies of each kind, and statements."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from dashboard.app import create_client
from tests.gallery.workplace import Answer, Pages, Workplace, after, html_of, seen_by
from tests.support.page import Page
from tests.web import steps

_NOTE = "सपोर्ट से पूछा; पैसे लौटाए जाएँगे।"


def reconcile(office: Workplace) -> Pages:
    """Find discrepancies of several kinds, and mark some as checked."""
    levers, manager = office.levers, office.manager
    levers.switch(paid_lag_seconds=10**6)  # The source learns of no payment.
    wrong_sum, other, late, noted, pending, unverified = (_link(office, number) for number in range(1, 7))
    parts = {"baseAmount": 500, "legalFee": 50, "gst": 9, "convenienceFee": 0, "totalAmount": 600}
    levers.set_link(wrong_sum, raw={"amount": parts})
    levers.set_link(other, raw={"challans": [{"id": "00000000-0000-4000-8000-000000000009", "challanNo": "ZZ1"}]})
    for link_id in (late, noted):
        levers.expire(link_id)
        steps.check(manager, link_id)
    for link_id in (late, noted, pending, unverified):
        levers.pay(link_id)
    for link_id in (wrong_sum, other, late, noted, pending):
        office.later(seconds=20)
        office.services.link_poller.refresh(link_id)
    _link_of_another_system(office, 7)
    reconcile = manager.page("/reconcile")
    reconcile.submit(next(name for name in reconcile.buttons() if name.startswith("Verify")))
    for link_id in office.services.settlement_tracker.claim_due(5):
        office.services.settlement_tracker.check(link_id)
    marks(manager.page("/reconcile"), "late", _NOTE)()
    office.services.link_poller.refresh(unverified)
    office.later(hours=3)
    today = office.clock().astimezone(ZoneInfo("Asia/Kolkata")).date()
    return {
        "home": seen_by(manager, "/"),
        "reconcile": seen_by(manager, "/reconcile"),
        "reconcile, as staff": seen_by(office.staff, "/reconcile"),
        "a note that is too short": marks(manager.page("/reconcile"), "late", "ok"),
        "several rows, none of them ticked": marks_none(manager.page("/reconcile"), "unsettled"),
        "a check that fails": after(
            lambda: levers.fault("search", "status", status=502, count=9), _checks(manager.page("/reconcile"))
        ),
        "one kind": seen_by(manager, "/reconcile/findings/unsettled"),
        "a kind that was not found": seen_by(manager, "/reconcile/findings/double"),
        "links that could not be checked": seen_by(manager, "/reconcile/findings/unchecked"),
        "a link with a discrepancy": seen_by(manager, f"/links/{late}"),
        "a link that was marked as checked": seen_by(manager, f"/links/{noted}"),
        "a paid link that is still pending": seen_by(manager, f"/links/{pending}"),
        "a paid link that is still pending, as staff": seen_by(office.staff, f"/links/{pending}"),
        "a link whose amounts do not match": seen_by(manager, f"/links/{wrong_sum}"),
        "statement": seen_by(manager, f"/reconcile/statement?from={today}&to={today}"),
        "statement, open links": seen_by(manager, f"/reconcile/statement/open?day={today}&at=end"),
        "statement, no open links": seen_by(manager, "/reconcile/statement/open?day=2026-01-01"),
        "statement, nothing happened": seen_by(manager, "/reconcile/statement?from=2026-01-01&to=2026-01-31"),
        "overview": seen_by(manager, "/overview"),
        "overview, as staff": seen_by(office.staff, "/overview"),
    }


def _link(office: Workplace, number: int) -> str:
    rc = _searched(office, number)
    return steps.link_of(steps.create(office.manager, rc=rc))


def _searched(office: Workplace, number: int) -> str:
    rc = f"MH12RC{number:04}"
    challans = [{"challanNo": f"RC{number:04}{letter}", "challanAmount": 500} for letter in "AB"]
    office.levers.add_vehicle(rc, challans)
    steps.searches(office.manager, rc)
    return rc


def _link_of_another_system(office: Workplace, number: int) -> None:
    rc = _searched(office, number)
    challans = [each["id"] for each in office.levers.vehicle(rc)["challans"]]
    with create_client(office.app.extensions["settings"]) as client:
        client.create_payment_link(rc, challans, expiry_hours=48, before_send=lambda: None)
    steps.refresh(office.manager, rc)


def marks(page: Page, kind: str, note: str) -> Answer:
    """Mark the first discrepancy of a kind as checked."""
    form = page.all(f"section#{kind} tbody form.tick-form")[0]
    fields = {str(field["name"]): str(field.get("value", "")) for field in form.select("input[name]")}
    return lambda: html_of(page.client, page.client.post(str(form["action"]), data=fields | {"note": note}))


def marks_none(page: Page, kind: str) -> Answer:
    """Send the form of several discrepancies of a kind without any."""
    fields = {"csrf_token": str(page.one("meta[name=csrf-token]")["content"]), "note": _NOTE}
    action = str(page.one(f"form#several-{kind}")["action"])
    return lambda: html_of(page.client, page.client.post(action, data=fields))


def _checks(page: Page) -> Answer:
    form = page.form("Verify now")
    return lambda: html_of(page.client, form.submit())

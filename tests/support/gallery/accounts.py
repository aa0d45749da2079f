"""Show the pages of saved forms, people and invitations, in many states."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from dashboard.services.accounts.second_factors import FactorState, Setup
from dashboard.web.accounts.records import AuditPage, AuditRow, InvitationLink, PersonCard, SavedFormPage, SessionRow
from dashboard.web.links.records import Choice
from dashboard.web.shared.records import StateWords
from tests.support.gallery.forms import (
    ChangePasswordForm,
    ChangeRoleForm,
    CodeForm,
    ConfirmPasswordForm,
    InvitePersonForm,
    NewPasswordForm,
)
from tests.support.gallery.samples import HOSTILE, NOW, Pages, ago

_ACTIVE = StateWords("", "", "good", name="Active")
_LINK = InvitationLink("Ravi Kumar", f"https://challans.fleet.example/invitation/{'k' * 43}", NOW + timedelta(hours=72))


def saved_form_pages() -> Pages:
    driver = (("Name", "Ramesh Yadav"), ("Phone", "98765 43210"), ("Vehicles", "MH12 AB 1001, MH12 AB 1002"))
    long = (("Cost centre", HOSTILE), ("Trip", ""), ("Note", f"{HOSTILE}\n{'A long note. ' * 38}\n{'M' * 200}"))
    forms = {
        "saved-form": SavedFormPage("k", "A new driver", None, None, driver, driver),
        "saved-form-odd": SavedFormPage(
            "k", "Cost centre, trip or note of a vehicle", HOSTILE, "/vehicles/MH12AB1001", long, long
        ),
    }
    return {name: ("accounts/saved_form.html", {"form": form}) for name, form in forms.items()}


def _person(number: int, **changes: Any) -> PersonCard:
    card = PersonCard(
        id=number,
        name=("Asha Rao", "Meera Iyer", "Arun Das")[number % 3],
        email=f"person{number}@fleet.example",
        role=("Staff", "Manager", "Administrator")[number % 3],
        state=_ACTIVE,
        last_seen=ago(minutes=3 * number),
        second_factor=("On", "Required, not set up yet", "Off")[number % 3],
        is_self=number == 2,
    )
    return replace(card, **changes)


def people_pages() -> Pages:
    listed = [
        *(_person(number) for number in range(6)),
        _person(6, state=StateWords("", "", "waiting", name="Invited", note="until 24 Nov, 2:03 pm"), last_seen=None),
        _person(7, state=StateWords("", "", "wrong", name="Invitation expired"), last_seen=None),
        _person(8, state=StateWords("", "", "ended", name="Disabled", note="since 3 Aug, 2:03 pm")),
        _person(9, name=HOSTILE, email=f"{'long' * 15}@{'fleet' * 10}.example"),
    ]
    wrong = InvitePersonForm(data={"name": "Ravi", "email": "asha@fleet.example"})
    wrong.email.errors = ["There is already a person with the email asha@fleet.example."]
    sessions = [
        SessionRow("Chrome on Windows", "Mozilla/5.0", "192.0.2.7", ago(hours=3), ago(minutes=1), True),
        SessionRow("Safari on iPhone", "Mozilla/5.0", f"2001:db8:{'abcd:' * 5}1", ago(days=3), ago(hours=1), False),
    ]
    usual = {"added": ago(days=90), "is_disabled": False, "has_password": True, "invitation": None, "has_factor": True}
    usual |= {"takes_passwords": True, "is_linked": False}
    form = ChangeRoleForm(data={"role": "manager"})
    shown = {"form": form, "person": _person(1), "sessions": sessions}
    gone = {"person": listed[8], "sessions": [], "is_disabled": True}
    unmatched = NewPasswordForm()
    unmatched.repeat_password.errors = ["The two passwords are not the same."]
    invited = {"token": "k" * 43, "name": "Ravi Kumar", "email": "ravi@fleet.example"}
    roles = [("staff", "Staff", False), ("manager", "Manager", True), ("admin", "Administrator", True)]
    everybody = {"form": InvitePersonForm(), "people": listed, "invitation": None, "required_roles": roles}
    everybody["takes_passwords"] = True
    by_provider = {"takes_passwords": False, "is_linked": True}
    return {
        "people": ("accounts/people.html", everybody),
        "people-hostile": ("accounts/people.html", everybody | {"form": wrong, "people": [listed[9]]}),
        "people-no-passwords": ("accounts/people.html", everybody | by_provider | {"form": wrong}),
        "people-invited": ("accounts/people.html", everybody | {"invitation": _LINK}),
        "person": ("accounts/person.html", usual | shown),
        "person-hostile": ("accounts/person.html", usual | shown | {"person": listed[9], "invitation": _LINK}),
        "person-no-passwords": ("accounts/person.html", usual | shown | by_provider | {"has_factor": False}),
        "person-disabled": ("accounts/person.html", usual | shown | gone),
        "invitation": ("accounts/invitation.html", invited | {"form": NewPasswordForm(), "notice": None}),
        "invitation-wrong": ("accounts/invitation.html", invited | {"form": unmatched, "notice": "Try again."}),
    }


def account_pages() -> Pages:
    without, with_factor = FactorState(None, 0, True), FactorState(ago(days=40), 7, False)
    setup = Setup("JBSWY3DPEHPK3PXP" * 2, "otpauth://totp/Challan%20Dashboard:asha?secret=JBSWY3DPEHPK3PXP")
    wrong, code = ChangePasswordForm(), CodeForm(data={"code": "123456"})
    wrong.current_password.errors = ["This is not your current password."]
    code.code.errors = ["This code is not right, or was used already. Wait for the next one."]
    here = SessionRow("Chrome on Windows", "Mozilla/5.0", "192.0.2.7", ago(hours=3), ago(seconds=4), True)
    usual = {
        "form": ChangePasswordForm(),
        "notice": None,
        "email": "asha@fleet.example",
        "role": "Staff",
        "has_password": True,
        "factor": without,
        "sessions": [here],
        "keys_on": True,
    }
    other = {"form": wrong, "factor": with_factor, "sessions": [here, replace(here, is_this=False)], "notice": "Wait."}
    confirm = {"form": ConfirmPasswordForm(), "notice": None}
    codes = [f"abcd-efgh-jkmn-{number:04}" for number in range(10)]
    return {
        "account-factor": ("accounts/account.html", usual | other),
        "account-no-password": ("accounts/account.html", usual | {"has_password": False}),
        "factor-on": ("accounts/second_factor.html", confirm | {"factor": with_factor}),
        "factor-app": ("accounts/second_factor_app.html", {"form": code, "setup": setup}),
        "sign-in-code": ("accounts/second_step.html", {"form": CodeForm(), "setup": None, "notice": None}),
        "sign-in-setup": ("accounts/second_step.html", {"form": code, "setup": setup, "notice": "Wait 4 seconds."}),
        "recovery-codes": ("accounts/recovery_codes.html", {"codes": codes, "next": "/"}),
    }


def audit_pages() -> Pages:
    row = AuditRow(
        id=7,
        at=ago(minutes=5),
        name="Asha Rao",
        by="/audit?person=1",
        action="Asked for a payment link",
        raw="create",
        subject="MH12 AB 1001",
        raw_subject="MH12AB1001",
        leads_to="/vehicles/MH12AB1001",
        request="/requests/x",
        detail="challans 3, hours 48",
        origin="192.0.2.7",
        request_id="r-1",
    )
    unknown = {"name": "nobody known", "by": None, "leads_to": None, "request": None}
    odd = replace(row, **unknown, action=HOSTILE, subject=HOSTILE, detail="n " * 90, at=ago(days=200))
    typed = dict.fromkeys(("person", "action", "object", "from", "to"), "")
    choices = (Choice("", "Anybody", True), Choice("1", HOSTILE, False))
    page = AuditPage(
        rows=(row, odd, replace(row, origin="command line", leads_to=None)),
        people=choices,
        actions=(Choice("", "Any action", True), Choice("create", "Asked for a payment link", False)),
        typed=typed,
        problems={},
        narrows=False,
        newer="/audit?after=7",
        older="/audit?before=5",
        export="/audit/export.csv",
        page_size=50,
    )
    return {"audit": ("accounts/audit.html", {"page": page})}

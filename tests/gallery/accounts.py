"""Bring an office into the states of accounts: signing in, people, invitations, second factors, saved forms."""

from __future__ import annotations

from dashboard.domain.roles import Role
from dashboard.services.accounts.audit import COMMAND_LINE
from tests.gallery.workplace import Pages, Workplace, answer, seen_by
from tests.support.authenticator import set_up
from tests.support.people import ASHA, MEERA, PASSWORD, Somebody
from tests.web.accounts.test_people import invite, path_of

KIRAN = Somebody("kiran@example.com", "Kiran Rao", Role.ADMIN)
LATHA = Somebody("latha@example.com", "Latha Menon", Role.MANAGER)
_NEW = "another long phrase"


def sign_in(office: Workplace) -> Pages:
    """Sign in with and without a second factor, while a form waits."""
    stranger, asked, new = (office.visitor() for _ in range(3))
    set_up(office.manager, office.clock)
    asked.signs_in(MEERA.email)
    office.signed_in(LATHA)
    requires_factor(office, "manager")
    new.signs_in(LATHA.email)
    open_page = office.signed_in(KIRAN).page("/drivers")
    waits = answer(open_page, "Add the driver", name="Ravi Kumar", phone="98765 43210")
    saves = office.signed_in(KIRAN)
    message = saves.page("/messages").form("Save message")
    known = office.app.extensions["people"]
    known.end_sessions(known.find(KIRAN.email), by=None, origin=COMMAND_LINE)
    message.submit(body="Pay for {vehicle}: {url}")
    saves.signs_in(KIRAN.email)
    page = stranger.page("/sign-in")
    return {
        "sign-in": seen_by(stranger, "/sign-in"),
        "sign-in, a wrong password": answer(page, "Sign in", email=ASHA.email, password="wrong"),
        "sign-in, nothing typed": answer(page, "Sign in", email="", password=""),
        "sign-in, by a provider alone": seen_by(office.visitor_without_password(), "/sign-in"),
        "sign-in, a form waits": waits,
        "a page that needs a session": seen_by(stranger, "/links"),
        "not found": seen_by(stranger, "/nowhere"),
        "not found, signed in": seen_by(saves, "/fleet/plna"),
        "the code": seen_by(asked, "/sign-in/code"),
        "the code, wrong": answer(asked.page("/sign-in/code"), "Sign in", code="000000"),
        "set up at sign-in": seen_by(new, "/sign-in/code"),
        "set up at sign-in, wrong": answer(new.page("/sign-in/code"), "Sign in", code="000000"),
        "a saved form": seen_by(saves, "/kept"),
    }


def people(office: Workplace) -> Pages:
    """Invite people, disable one, and let invitations pass."""
    manager, admin, visitor = office.manager, office.admin, office.visitor()
    late = path_of(invite(admin, name="Sunil Rane", email="sunil@example.com"))
    office.later(hours=73)
    set_up(manager, office.clock)
    for somebody in (ASHA, KIRAN, LATHA):
        office.signed_in(somebody)
    invitation = path_of(invite(admin))
    requires_factor(office, "manager")
    asha, meera, kiran, latha = (_id_of(office, each.email) for each in (ASHA, MEERA, KIRAN, LATHA))
    admin.page(f"/people/{kiran}").submit("Disable")
    setting = visitor.page(invitation)
    return {
        "people": "/people",
        "people, an invitation": answer(admin.page(f"/people/{latha}"), "Create a link for a new password"),
        "people, an invitation that is wrong": answer(
            admin.page("/people"), "Invite", name=" ", email=ASHA.email, role="manager"
        ),
        "people, as staff": seen_by(office.staff, "/people"),
        "people, by a provider alone": seen_by(office.admin_without_passwords, "/people"),
        "a person": f"/people/{asha}",
        "a person with a second factor": f"/people/{meera}",
        "a person who is disabled": f"/people/{kiran}",
        "a person, by a provider alone": seen_by(office.admin_without_passwords, f"/people/{meera}"),
        "an account, by a provider alone": seen_by(office.admin_without_passwords, "/account"),
        "nobody": "/people/999",
        "an invitation": seen_by(visitor, invitation),
        "an invitation, two passwords": answer(
            setting, "Set password", new_password=_NEW, repeat_password="something else"
        ),
        "an invitation that has ended": seen_by(visitor, late),
        "the audit log": "/audit",
        "the audit log, filters that are wrong": "/audit?from=soon&to=later",
    }


def accounts(office: Workplace) -> Pages:
    """Let people change their own password and second factor."""
    staff, manager = office.staff, office.manager
    set_up(manager, office.clock)
    elsewhere = office.visitor()
    elsewhere.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari/537.36"
    elsewhere.is_signed_in(ASHA.email)
    own, factor = staff.page("/account"), staff.page("/account/second-factor")
    passwords = {"current_password": "wrong", "new_password": "short"}
    beginning = staff.read(factor.submit("Continue", password=PASSWORD))
    with_factor = manager.page("/account/second-factor")
    return {
        "my account": seen_by(staff, "/account"),
        "my account, a wrong password": answer(own, "Change password", **passwords),
        "my account, with a second factor": seen_by(manager, "/account"),
        "a second factor": seen_by(staff, "/account/second-factor"),
        "a second factor, a wrong password": answer(factor, "Continue", password="wrong"),
        "a second factor that is on": seen_by(manager, "/account/second-factor"),
        "the app": seen_by(staff, "/account/second-factor/app"),
        "the app, a wrong code": answer(beginning, "Turn on", code="000000"),
        "recovery codes": answer(with_factor, "New recovery codes", password=PASSWORD),
    }


def requires_factor(office: Workplace, *roles: str) -> None:
    """Require a second factor of everybody with these roles, whose sessions end."""
    office.admin.post("/people/second-factor", data={"roles": list(roles), "csrf_token": office.admin.csrf_token()})


def _id_of(office: Workplace, email: str) -> int:
    person = office.app.extensions["people"].find(email)
    assert person is not None
    return int(person.id)

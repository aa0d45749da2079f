"""Every sentence that people read about signing in, saved forms, people and accounts, outside of the templates."""

from __future__ import annotations

import math
from datetime import timedelta

from dashboard.domain.roles import Role
from dashboard.services.accounts.refusals import Refused
from dashboard.services.accounts.single_sign_on import SingleSignOnProblem
from dashboard.web.shared.languages import gettext, lazy, lazy_about, ngettext


def refused(refusal: Refused) -> str:
    """Say why a change to an account is refused."""
    return gettext(refusal.sentence, **refusal.values)


NO_EMAIL = lazy("Enter your email address.")
NO_PASSWORD = lazy("Enter your password.")

SESSION_ENDED = lazy("Your session has ended. Sign in to go on.")
#: It does not promise that nothing was sent: the same form may have been, before the session ended.
SESSION_ENDED_FORM_SAVED = lazy("Your session has ended. What you entered is saved: sign in, check it, then send it.")
WRONG_PASSWORD = lazy("Wrong email or password.")

BUSY_SECONDS = 5
BUSY = lazy(
    "Many people are signing in right now. Your password was not checked. Try again in %(busy_seconds)s seconds.",
    busy_seconds=BUSY_SECONDS,
)


NO_NAME = lazy("Enter a name.")
NO_EMAIL_OF_OTHER = lazy("Enter an email address.")
NO_NEW_PASSWORD = lazy("Enter a new password.")
NO_REPEATED_PASSWORD = lazy("Enter the new password again.")
PASSWORDS_DIFFER = lazy("The two passwords are not the same.")

ACTIVE, INVITED, INVITATION_OVER, DISABLED = (
    lazy_about("of a person", "Active"),
    lazy("Invited"),
    lazy("Invitation expired"),
    lazy("Disabled"),
)
#: Somebody who has lost their password.
INVITED_AGAIN, PASSWORD_OVER = lazy("Sets a new password"), lazy("Password link expired")
INVITED_UNTIL = lazy("until {until}")
DISABLED_SINCE = lazy("since {since}")
ROLE_CHANGED = lazy("{name} is {role} from the next sign-in.")
PERSON_DISABLED = lazy("{name} is disabled and signed out everywhere.")
PERSON_ENABLED = lazy("{name} can sign in again.")
SESSIONS_ENDED = lazy("{name} is signed out everywhere.")
NOT_YOURSELF = lazy("Change your own password under your name, in My account.")

INVITATION_OVER_TITLE = lazy("This link cannot be used any more")
INVITATION_OVER_WORDS = lazy(
    "It was used already, is older than 72 hours, or a newer one was sent. Ask an administrator."
)
PASSWORD_SET = lazy("Your password is set. Sign in with it.")
NO_CURRENT_PASSWORD = lazy("Enter your current password.")
CURRENT_PASSWORD_WRONG = lazy("This is not your current password.")
PASSWORD_CHANGED = lazy("Your password is changed. You are signed out everywhere else.")
SIGNED_OUT_ELSEWHERE = lazy("You are signed out everywhere else.")
NO_CODE = lazy("Enter the code.")
WRONG_CODE = lazy("This code is not right, or was used already. Wait for the next one.")
STEP_ENDED = lazy("It took too long, or something has changed. Sign in again.")
FACTOR_OFF = lazy("Your second factor is off.")
FACTOR_REMOVED = lazy("{name} has no second factor any more, and is signed out everywhere.")
FACTOR_REQUIRED = lazy("Saved.")
SIGNED_OUT_THERE = lazy("{browser} is signed out.")
ALREADY_SIGNED_OUT = lazy("It was signed out already.")
FACTOR_ON, FACTOR_MISSING, FACTOR_NONE = lazy("On"), lazy("Required, not set up yet"), lazy("Off")
#: Of somebody who has not come yet.
FACTOR_LATER = "–"

PERSON_ADDED = lazy("{name} is added, and signs in with your organization’s account.")
NO_PASSWORDS_TO_SET = lazy("Passwords are not taken here, so there is nothing to invite to.")
NEVER_SIGNED_IN = lazy("Not signed in yet")
NO_PASSWORDS_TAKEN = lazy("Passwords are not taken here. Sign in with your organization’s account.")
ANSWER_NOT_ASKED_FOR = lazy("This sign-in was not started here, or took too long. Start again.")
PROVIDER_REFUSED = lazy("Your organization’s account did not sign you in. Start again, or ask an administrator.")
SINGLE_SIGN_ON_PROBLEMS = {
    SingleSignOnProblem.AWAY: lazy("Your organization’s sign-in does not answer. Try again in a minute."),
    SingleSignOnProblem.NOT_TRUSTED: lazy(
        "The answer of your organization’s sign-in could not be trusted. Start again."
    ),
    SingleSignOnProblem.NO_ROLE: lazy("Your organization’s account has no role here. Ask an administrator."),
    SingleSignOnProblem.NOBODY: lazy("There is no account for you here yet. Ask an administrator."),
    SingleSignOnProblem.DISABLED: lazy("Your account here is disabled. Ask an administrator."),
    SingleSignOnProblem.LAST_ADMINISTRATOR: lazy(
        "You are the last administrator here, and your role has changed elsewhere."
    ),
}

TO_SIGN_IN = lazy("Sign in")
NEW_PERSON = lazy("A new person")
PERSON_LABELS = {"name": lazy("Name"), "email": lazy("Email"), "role": lazy("Role")}
UNKNOWN_BROWSER = lazy("Unknown browser")
BROWSER_ON = lazy("{browser} on {system}")

SAVED_FORM_GONE = lazy("It was sent already, or was saved too long ago. Check whether it is there.")
NOT_SAVED = lazy("It was not saved.")


def whole_seconds(wait: timedelta) -> int:
    """Return a wait in whole seconds, at least one."""
    return max(1, math.ceil(wait / timedelta(seconds=1)))


#: What each role may do.
MAY = {
    Role.ADMIN: lazy("Everything managers can do, and people, service status and the audit log"),
    Role.MANAGER: lazy("Everything staff can do, and many vehicles at once, exports and reports"),
    Role.STAFF: lazy("Search, create links, send them and follow up"),
}


def without_factor(count: int, people: int) -> str:
    """Say how many people of a role have no second factor: a new rule signs them out. "" for nobody."""
    return gettext("(not set up by %(count)s of %(people)s)", count=count, people=people) if count else ""


def factor_required(count: int) -> str:
    """Say what came of a new rule that signed out so many people."""
    if not count:
        return str(FACTOR_REQUIRED)
    return ngettext(
        "Saved. %(num)s person has no second factor: signed out now, they set it up when they next sign in.",
        "Saved. %(num)s people have no second factor: signed out now, they set it up when they next sign in.",
        count,
    )


def each_signs_out(browsers: int) -> str:
    """Say above the changes of a person of how many browsers each of them signs them out; "" for none."""
    if not browsers:
        return ""
    return ngettext(
        "Each change signs them out of %(num)s browser.", "Each change signs them out of %(num)s browsers.", browsers
    )


def signed_out(browsers: int, *, is_self: bool) -> str:
    """Say what a change does to where somebody is signed in; "" where that is nowhere."""
    if is_self:
        return ngettext(
            "This signs you out of this browser.", "This signs you out of %(num)s browsers, this one too.", browsers
        )
    if not browsers:
        return ""
    return ngettext("This signs them out of %(num)s browser.", "This signs them out of %(num)s browsers.", browsers)


def invitation_message(name: str, address: str, until: str) -> str:
    return gettext(
        "%(name)s, set your password for Challan Dashboard: %(address)s The link works once, until %(until)s.",
        name=name,
        address=address,
        until=until,
    )


def too_many_tries(wait: timedelta) -> str:
    seconds = whole_seconds(wait)
    return ngettext(
        "Too many failed tries. Wait %(num)s second, then try again.",
        "Too many failed tries. Wait %(num)s seconds, then try again.",
        seconds,
    )

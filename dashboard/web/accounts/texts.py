"""Every sentence that people read about signing in, saved forms, people and accounts, outside of the templates."""

from __future__ import annotations

import math
from datetime import timedelta

from dashboard.domain.roles import Role

NO_EMAIL = "Enter your email address."
NO_PASSWORD = "Enter your password."  # noqa: S105 - a sentence, no password.

SESSION_ENDED = "Your session has ended. Sign in to go on."
#: It does not promise that nothing was sent: the same form may have been, before the session ended.
FORM_SAVED = "Your session has ended. What you entered is kept: sign in, check it, then send it."
WRONG_PASSWORD = "The email or the password is not right."  # noqa: S105 - a sentence, no password.

BUSY_SECONDS = 5
BUSY = f"Many people are signing in right now. Your password was not checked. Try again in {BUSY_SECONDS} seconds."

ROLES = {Role.STAFF: "Staff", Role.MANAGER: "Manager", Role.ADMIN: "Administrator"}

NO_NAME = "Enter a name."
NO_EMAIL_OF_OTHER = "Enter an email address."
NO_NEW_PASSWORD = "Enter a new password."  # noqa: S105 - a sentence, no password.
NO_REPEATED_PASSWORD = "Enter the new password again."  # noqa: S105 - a sentence, no password.
PASSWORDS_DIFFER = "The two passwords are not the same."

ACTIVE, INVITED, INVITATION_OVER, DISABLED = "Active", "Invited", "Invitation expired", "Disabled"
INVITED_UNTIL = "until {until}"
DISABLED_SINCE = "since {since}"
ROLE_CHANGED = "{name} is {role} from the next sign-in."
PERSON_DISABLED = "{name} is disabled and signed out everywhere."
PERSON_ENABLED = "{name} can sign in again."
SESSIONS_ENDED = "{name} is signed out everywhere."
NOT_YOURSELF = "Change your own password under your name, in My account."

INVITATION_OVER_TITLE = "This link cannot be used any more"
INVITATION_OVER_WORDS = "It was used already, is older than 72 hours, or a newer one was sent. Ask an administrator."
PASSWORD_SET = "Your password is set. Sign in with it."  # noqa: S105 - a sentence, no password.
NO_CURRENT_PASSWORD = "Enter your current password."  # noqa: S105 - a sentence, no password.
CURRENT_PASSWORD_WRONG = "This is not your current password."  # noqa: S105 - a sentence, no password.
PASSWORD_CHANGED = "Your password is changed. You are signed out everywhere else."  # noqa: S105 - a sentence.
SIGNED_OUT_ELSEWHERE = "You are signed out everywhere else."
NO_CODE = "Enter the code."
WRONG_CODE = "This code is not right, or was used already. Wait for the next one."
STEP_ENDED = "It took too long, or something has changed. Sign in again."
FACTOR_OFF = "Your second factor is off."
FACTOR_REMOVED = "{name} has no second factor any more, and is signed out everywhere."
FACTOR_REQUIRED = "Saved. People without a second factor set it up when they next sign in."
FACTOR_ON, FACTOR_MISSING, FACTOR_NONE = "On", "Required, not set up yet", "Off"

TO_SIGN_IN = "Sign in"
NEW_PERSON = "A new person"
PERSON_LABELS = {"name": "Name", "email": "Email", "role": "Role"}
UNKNOWN_BROWSER = "Unknown browser"
BROWSER_ON = "{browser} on {system}"

NOT_THERE_ANY_MORE = "It was sent already, or was kept for too long. Check whether it is there."
NOT_SAVED = "It was not saved."


def whole_seconds(wait: timedelta) -> int:
    """Return a wait in whole seconds, at least one."""
    return max(1, math.ceil(wait / timedelta(seconds=1)))


def too_many_tries(wait: timedelta) -> str:
    seconds = whole_seconds(wait)
    return f"Too many failed tries. Wait {seconds} {'second' if seconds == 1 else 'seconds'}, then try again."

"""Every sentence that people read about signing in and about saved forms, outside of the templates."""

from __future__ import annotations

import math
from datetime import timedelta

NO_EMAIL = "Enter your email address."
NO_PASSWORD = "Enter your password."  # noqa: S105 - a sentence, no password.

SESSION_ENDED = "Your session has ended. Sign in to go on."
#: It does not promise that nothing was sent: the same form may have been, before the session ended.
FORM_SAVED = "Your session has ended. What you entered is kept: sign in, check it, then send it."
WRONG_PASSWORD = "The email or the password is not right."  # noqa: S105 - a sentence, no password.

BUSY_SECONDS = 5
BUSY = f"Many people are signing in right now. Your password was not checked. Try again in {BUSY_SECONDS} seconds."

NOT_THERE_ANY_MORE = "It was sent already, or was kept for too long. Check whether it is there."
NOT_SAVED = "It was not saved."


def whole_seconds(wait: timedelta) -> int:
    """Return a wait in whole seconds, at least one."""
    return max(1, math.ceil(wait / timedelta(seconds=1)))


def too_many_tries(wait: timedelta) -> str:
    seconds = whole_seconds(wait)
    return f"Too many failed tries. Wait {seconds} {'second' if seconds == 1 else 'seconds'}, then try again."

"""Build what the pages of search runs and of creation plans share: progress, and what a person may do with a job."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import Connection

from dashboard.domain.fleet import JobState
from dashboard.store.fleet import parts
from dashboard.store.fleet.jobs import Job
from dashboard.web.fleet import run_texts as texts
from dashboard.web.fleet.run_records import JobActions, Progress
from dashboard.web.shared.current import current_services
from dashboard.web.shared.languages import gettext as _

#: How often a live panel asks again, in seconds, while its job is in a state.
POLL_SECONDS = {JobState.RUNNING: 2, JobState.WAITING: 5, JobState.PAUSED: 15}
#: The pace is that of the last minutes.
_PACE_OF = timedelta(minutes=3)
#: Fewer seconds say nothing of the pace.
_PACE_FROM = timedelta(seconds=5)


def progress_of(connection: Connection, job: Job, done: int, total: int) -> Progress:
    """Return how far a job came, and its pace while that is known."""
    if job.state is JobState.DONE:
        return Progress(done, total, texts.ended(job))
    now = current_services().clock()
    since = max(now - _PACE_OF, job.resumed_at)
    took = now - since
    begins = Progress(done, total, left="" if done or job.state is not JobState.RUNNING else str(texts.STARTING))
    if job.state is not JobState.RUNNING or took < _PACE_FROM:
        return begins
    ended_lately = parts.ended_since(connection, job.kind, job.id, since)
    if not ended_lately:
        return begins
    a_minute = ended_lately / (took.total_seconds() / 60)
    return Progress(
        done, total, texts.pace(job.kind, a_minute), _left_words(timedelta(minutes=(total - done) / a_minute))
    )


def _left_words(left: timedelta) -> str:
    minutes = round(left.total_seconds() / 60)
    if minutes < 1:
        return _("less than a minute left")
    if minutes < 60:
        return _("about %(count)s min left", count=minutes)
    hours, minutes = divmod(minutes, 60)
    return _("about %(hours)s h %(minutes)s min left", hours=hours, minutes=minutes)


def actions_of(job: Job, retry: str) -> JobActions:
    """Return what a person may do with a job in its state."""
    go_on = {JobState.PAUSED: texts.RESUME, JobState.WAITING: texts.GO_ON_NOW}.get(job.state, "")
    can_retry = retry if job.state is not JobState.CANCELLED else ""
    can_pause = job.state in (JobState.RUNNING, JobState.WAITING)
    return JobActions(job.id, can_pause, go_on, job.is_open, can_retry)


def place(filter_name: str, shown: str, after: int) -> tuple[tuple[str, Any], ...]:
    """Return what the address of a page names: the filter of its list, and after which row its page begins."""
    return tuple((name, value) for name, value in ((filter_name, shown), ("after", after)) if value)

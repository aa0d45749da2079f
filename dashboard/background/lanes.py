"""Run the lanes of jobs as durable workflows of DBOS.

A job runs in lanes side by side. A lane is a workflow that takes one part of the job after the other, for a few seconds
in each step. A lane is cut into workflows of bounded length, because a workflow that is run again reads the results of
all of its steps.

Steps run at least once, and how far one came is not in DBOS's record but in the store: it says which parts have ended
and which one a lane had claimed. A step that is run again goes on there, and a creation that is begun again comes to
the same request.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from dbos import DBOS, SetWorkflowID

from dashboard.domain.fleet import JobKind

_APPLICATION = "challan-dashboard"
#: Every version of the dashboard runs the workflows of every other: with a version of its own each would orphan them.
_WORKFLOW_VERSION = "1"
#: How often DBOS looks into its queues, in seconds.
_QUEUE_SECONDS = 0.1
#: For how many seconds a step begins more parts, after its first. Recording a step costs as much as recording a search,
#: so a step has several of those. It must be shorter than the time after which a silent worker's lanes are taken over:
#: a worker that was frozen for so long takes nothing after the part that it was at. A creation has a step of its own.
_SECONDS_OF_A_STEP = {JobKind.SEARCH: 5.0, JobKind.CREATION: 0.0}
_STEPS_OF_A_WORKFLOW = 100

#: Which queue the lanes of a job wait in, by its kind; a queue bounds how many run at once, of all workers.
QUEUES = {JobKind.SEARCH: "fleet-searches", JobKind.CREATION: "fleet-creations"}


class TakeNext(Protocol):
    """Take the next part of a job for a lane; False where there is none."""

    def __call__(self, kind: JobKind, job_id: str, generation: int, lane: str) -> bool: ...


#: What a step calls; set by `launch`, because DBOS has one registry of workflows in a process.
_take_next: list[TakeNext] = []


def launch(address: str, executor_id: str, widths: Mapping[JobKind, int], take_next: TakeNext) -> None:
    """Launch DBOS with its record at an address; it takes up what this executor had under way.

    `widths` is how many lanes of each kind of job run at once, of all workers. Raises what the database raises.
    """
    _take_next[:] = [take_next]
    try:
        DBOS(
            config={
                "name": _APPLICATION,
                "system_database_url": address,
                "application_version": _WORKFLOW_VERSION,
                "executor_id": executor_id,
                "log_level": "WARNING",
            }
        )
        DBOS.launch()
        for kind, width in widths.items():
            DBOS.register_queue(
                QUEUES[kind],
                global_concurrency=width,
                polling_interval_sec=_QUEUE_SECONDS,
                on_conflict="always_update",
            )
    except BaseException:
        shut_down()
        raise


def shut_down() -> None:
    """Stop DBOS. Lanes that have not ended stay in its record, to be taken up again."""
    DBOS.destroy()
    _take_next.clear()


def take_over(executor_id: str) -> int:
    """Take up the lanes that another executor had under way; return how many there are."""
    return len(DBOS._recover_pending_workflows([executor_id]))


def delete_ended(before: datetime) -> None:
    """Delete the record of lanes that began before a moment and have ended."""
    ended = DBOS.list_workflows(
        status=["SUCCESS", "ERROR", "CANCELLED"],
        end_time=before.isoformat(),
        limit=1000,
        load_input=False,
        load_output=False,
    )
    DBOS.delete_workflows([each.workflow_id for each in ended])


def workflow_id(job_id: str, generation: int, lane: int, section: int) -> str:
    """Return the id of a lane's workflow. The same one is never run twice."""
    return f"{job_id}:{generation}:{lane}:{section}"


def enqueue(kind: JobKind, job_id: str, generation: int, lane: int, section: int = 0) -> None:
    """Enqueue a lane's workflow, unless that was done before."""
    with SetWorkflowID(workflow_id(job_id, generation, lane, section)):
        DBOS.enqueue_workflow(QUEUES[kind], run_lane, str(kind), job_id, generation, lane, section)


@DBOS.workflow(name="run_lane", max_recovery_attempts=1_000_000)
def run_lane(kind: str, job_id: str, generation: int, lane: int, section: int) -> None:
    """Take parts of a job until there are none; after many of them, go on in a new workflow."""
    name = workflow_id(job_id, generation, lane, section)
    for _ in range(_STEPS_OF_A_WORKFLOW):
        if not take_parts(kind, job_id, generation, name):
            return
    enqueue(JobKind(kind), job_id, generation, lane, section + 1)


# The name is the one in the records of lanes that an older version began.
@DBOS.step(name="take_part")
def take_parts(kind: str, job_id: str, generation: int, name: str) -> bool:
    """Take parts of a job for a few seconds; False where there are no more."""
    [take_next] = _take_next
    ends_at = time.monotonic() + _SECONDS_OF_A_STEP[JobKind(kind)]
    while take_next(JobKind(kind), job_id, generation, name):
        if time.monotonic() >= ends_at:
            return True
    return False

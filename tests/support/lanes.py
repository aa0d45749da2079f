"""Run the lanes of a job of the fleet in process, one part after the other."""

from __future__ import annotations

from dashboard.domain.fleet import JobKind
from dashboard.services.container import Services
from dashboard.store.fleet import jobs
from dashboard.store.fleet.jobs import Job


def job_of(services: Services, job_id: str) -> Job:
    with services.store.read() as connection:
        job = jobs.find(connection, job_id)
    assert job is not None
    return job


def take_parts(services: Services, job_id: str, lane: str = "lane-1", most: int = 1000) -> int:
    """Run a lane of a job's present generation to its end, or `most` parts of it; return how many it took."""
    job = job_of(services, job_id)
    is_search = job.kind is JobKind.SEARCH
    taken = 0
    while taken < most:
        if is_search:
            took = services.fleet_searches.search_next(job_id, job.generation, lane, wait=_without_pace)
        else:
            took = services.fleet_plans.create_next(job_id, job.generation, lane)
        if not took:
            break
        taken += 1
    return taken


def _without_pace(_seconds: float) -> None:
    """Go on at once: while the clock of a test stands still, each search would wait for all those before it."""

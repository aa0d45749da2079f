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
    take = services.fleet_searches.search_next if job.kind is JobKind.SEARCH else services.fleet_plans.create_next
    taken = 0
    while taken < most and take(job_id, job.generation, lane):
        taken += 1
    return taken

"""Offer levers: what a test or a person can do to the replica beyond the service's own interface."""

from dashboard.replica.levers import links, organizations, truth, vehicles, weather
from dashboard.replica.levers.blueprint import levers

__all__ = ["levers", "links", "organizations", "truth", "vehicles", "weather"]

"""Levers: what a test, or a curious person, can do to the replica that the service's own interface cannot."""

from dashboard.replica.levers import links, organizations, truth, vehicles, weather
from dashboard.replica.levers.blueprint import levers

__all__ = ["levers", "links", "organizations", "truth", "vehicles", "weather"]

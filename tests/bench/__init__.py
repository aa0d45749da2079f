"""Measure the dashboard with real servers, processes and a browser; the replica answers at once. It asserts nothing."""

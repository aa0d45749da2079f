"""Measuring: real servers, real processes, a real browser, and the replica answering at once. Nothing is asserted."""

"""Figures, measured and never asserted: `make bench` prints them as a table."""

"""Figures for machines, in the text format of Prometheus.

What a process counts lives in its memory; what the store knows is asked of it at each scrape. So that whichever process
answers can tell of all, those of one machine pin their counts up beside each other (`board.py`), and every series says
which process it is from. The library's own way, files mapped into memory, is not used: on a full disk the first touch
of a new page ends the process with a bus error, and no figure is worth the one that creates links.
"""

from dashboard.metrics.exposition import Metrics

__all__ = ["Metrics"]

"""Metrics in the text format of Prometheus (docs/metrics.md).

A process counts in memory; metrics of the store are read at each scrape. The processes of a machine share their counts
by files, so that whichever is scraped answers for all. The library's own way, files mapped into memory, is not used: on
a full disk the first access to a new page ends the process with a bus error, and no metric is worth the process that
creates links.
"""

from dashboard.metrics.exposition import Metrics

__all__ = ["Metrics"]

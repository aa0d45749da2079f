"""`python -m dashboard`, the same as the `dashboard` command."""

from dashboard.cli import main

main()

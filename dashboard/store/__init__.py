"""The ledger: tables and queries, one module per subject. See `engine.py` for how transactions work."""

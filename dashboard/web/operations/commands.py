"""Hold the commands that send by hand, at staging, what the dashboard itself never sends."""

from __future__ import annotations


def commands(address: str) -> dict[str, str]:
    """Return the command of an assumption by its code; `address` is that of the service at staging."""
    return {
        "A1": _create(address, hours=23),
        "A2": f"for each in 1 2; do\n{_create(address, hours=24)} &\ndone; wait",
        "A7": f"curl -sS -o /dev/null -w '%{{http_code}}\\n' -H 'Authorization: Bearer made-up' {address}/locations",
    }


def _create(address: str, *, hours: int) -> str:
    """Return a command that asks for a link, and says the status of the answer alone."""
    body = f'{{"vehicle_number": "VEHICLE", "challan_numbers": ["CHALLAN"], "expiry_time": {hours}}}'
    return (
        "curl -sS -o /dev/null -w '%{http_code}\\n' \\\n"
        '  -H "Authorization: Bearer $DASHBOARD_API_SECRET" \\\n'
        "  -H 'Content-Type: application/json' \\\n"
        f"  -d '{body}' \\\n"
        f"  {address}/payment-links"
    )

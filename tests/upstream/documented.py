"""Spell a challan and a link as the document of the service shows them."""

from __future__ import annotations

from typing import Any

ID = "2b1d3c52-9d8c-4f3e-8a49-0c6f5a3f7e11"
OTHER = "7a9f0a8e-55f1-4c0d-b7f6-c94f1a2d9b10"
CHALLAN: dict[str, Any] = {
    "id": ID,
    "challanNo": "MH/1",
    "status": "PENDING",
    "challanAmount": 500.5,
    "totalAmount": 600,
    "challanDate": "2026-01-05T10:00:00.000Z",
    "state": "Maharashtra",
    "challanType": "ONLINE",
    "challanPlace": "Pune",
    "offenseDetails": "Without helmet",
    "paymentLinkId": None,
    "paymentLink": None,
    "prepaid": False,
}
LINK: dict[str, Any] = {
    "id": ID,
    "status": "ACTIVE",
    "organization": {"id": OTHER, "name": "Fleet"},
    "paymentUrl": "https://pay.example/prepaid-payment/t",
    "expiresAt": "2026-01-07T10:00:00Z",
    "paidAt": None,
    "amount": {"baseAmount": 500, "legalFee": 1.5, "gst": 0, "convenienceFee": 0.25, "totalAmount": 501.75},
    "paymentModeOptions": [{"totalAmount": 501.75, "paymentMode": "UPI"}],
    "challans": [{"id": OTHER, "challanNo": "MH/1", "rcNumber": "MH12AB1001", "challanAmount": 500}],
}

"""Give words for what the service sends as codes and names: statuses and types of challans, and states of India.

What is not listed here is shown as sent.
"""

from __future__ import annotations

import re

from dashboard.web.shared.languages import lazy

#: The statuses that the service documents, the one that it names as it names the status of a link, and others seen.
_CHALLAN_STATUSES = {
    "PENDING": lazy("Pending"),
    "TO_BE_ASSIGNED": lazy("To be assigned"),
    "PAID": lazy("Paid"),
    "IN_COURT_REVIEW": lazy("In court review"),
    "DISPOSED": lazy("Disposed"),
}
#: Nothing is left to pay of these, as their names say.
_DONE = frozenset({"PAID", "DISPOSED"})
#: The type that the service documents, and others seen.
_CHALLAN_TYPES = {"ONLINE": lazy("Online"), "OFFLINE": lazy("Offline"), "COURT": lazy("Court")}
#: How an offence names the law at its end: "No parking, Sec 122 r/w 177 MV Act".
_LAW = re.compile(r"(?<=\S),\s*(?:sec|section|rule|u/s|धारा|नियम)(?![^\W\d]).*$", re.IGNORECASE | re.DOTALL)
#: States and union territories, by their names in lower case.
_STATES_OF_INDIA = {
    "andaman and nicobar islands": lazy("Andaman and Nicobar Islands"),
    "andhra pradesh": lazy("Andhra Pradesh"),
    "arunachal pradesh": lazy("Arunachal Pradesh"),
    "assam": lazy("Assam"),
    "bihar": lazy("Bihar"),
    "chandigarh": lazy("Chandigarh"),
    "chhattisgarh": lazy("Chhattisgarh"),
    "dadra and nagar haveli and daman and diu": lazy("Dadra and Nagar Haveli and Daman and Diu"),
    "delhi": lazy("Delhi"),
    "goa": lazy("Goa"),
    "gujarat": lazy("Gujarat"),
    "haryana": lazy("Haryana"),
    "himachal pradesh": lazy("Himachal Pradesh"),
    "jammu and kashmir": lazy("Jammu and Kashmir"),
    "jharkhand": lazy("Jharkhand"),
    "karnataka": lazy("Karnataka"),
    "kerala": lazy("Kerala"),
    "ladakh": lazy("Ladakh"),
    "lakshadweep": lazy("Lakshadweep"),
    "madhya pradesh": lazy("Madhya Pradesh"),
    "maharashtra": lazy("Maharashtra"),
    "manipur": lazy("Manipur"),
    "meghalaya": lazy("Meghalaya"),
    "mizoram": lazy("Mizoram"),
    "nagaland": lazy("Nagaland"),
    "odisha": lazy("Odisha"),
    "puducherry": lazy("Puducherry"),
    "punjab": lazy("Punjab"),
    "rajasthan": lazy("Rajasthan"),
    "sikkim": lazy("Sikkim"),
    "tamil nadu": lazy("Tamil Nadu"),
    "telangana": lazy("Telangana"),
    "tripura": lazy("Tripura"),
    "uttar pradesh": lazy("Uttar Pradesh"),
    "uttarakhand": lazy("Uttarakhand"),
    "west bengal": lazy("West Bengal"),
}


def challan_status(raw: str) -> str:
    """Return the words for a challan's status; an unknown one is shown as sent."""
    return str(_CHALLAN_STATUSES.get(raw, raw))


def is_done(raw: str) -> bool:
    """Return whether a challan's status says that nothing is left to pay."""
    return raw in _DONE


def challan_type(raw: str) -> str:
    """Return the words for a challan's type; an unknown one is shown as sent."""
    return str(_CHALLAN_TYPES.get(raw, raw))


def challan_type_of(typed: str) -> str:
    """Return the type that a person names by its words; any other text is the service's spelling."""
    named = (raw for raw in _CHALLAN_TYPES if typed.casefold() in (challan_type(raw).casefold(), raw.casefold()))
    return next(named, typed)


def state_of_india(raw: str) -> str:
    """Return the name of a state in the language of this answer; in English, and an unknown one, as sent."""
    words = str(_STATES_OF_INDIA.get(raw.casefold(), raw))
    return raw if words.casefold() == raw.casefold() else words


def offence_and_law(offence: str) -> tuple[str, str]:
    """Split an offence into its words and the section of the law after them, with its comma; "" where none is given."""
    found = _LAW.search(offence)
    return (offence[: found.start()], found[0]) if found else (offence, "")

"""List the parts of believable challans: offences of the Motor Vehicles Act, states, places, statuses."""

from __future__ import annotations

from typing import NamedTuple


class Offence(NamedTuple):
    text: str
    paise: int


# Amounts follow the Act and common state notifications; some have paise, as compounding fees do.
OFFENCES = (
    Offence("Over speeding by light motor vehicle, Sec 183(1)(i) MV Act", 2000_00),
    Offence("Over speeding by medium or heavy passenger or goods vehicle, Sec 183(1)(ii) MV Act", 4000_00),
    Offence("Red light violation, Sec 184(a) MV Act", 1000_00),
    Offence("No parking, Sec 122 r/w 177 MV Act", 500_00),
    Offence("Parking that causes obstruction to traffic, Sec 122 r/w 127 MV Act", 1500_00),
    Offence("Driver without seat belt, Sec 194B(1) MV Act", 1000_00),
    Offence("Use of hand-held mobile phone while driving, Sec 184(c) MV Act", 5000_00),
    Offence("Driving without valid insurance, Sec 146 r/w 196 MV Act", 2000_00),
    Offence("No valid PUC certificate, Sec 190(2) MV Act", 10000_00),
    Offence("Carrying goods above the permissible load, Sec 113(3) r/w 194(1) MV Act", 20000_00),
    Offence("Driving on the wrong side, Sec 184 MV Act", 1177_50),
    Offence("Lane discipline not followed, Sec 119 r/w 177A MV Act", 500_00),
    Offence("Defective number plate, Sec 39 r/w 192 MV Act", 500_00),
    Offence("Tinted glass beyond the permitted limit, Rule 100 CMVR", 590_25),
    Offence("Entry into a no-entry zone, Sec 115 r/w 194(1) MV Act", 2000_00),
    Offence("Fitness certificate expired, Sec 56 r/w 192 MV Act", 5000_00),
    Offence("Stop line violation, Sec 119 r/w 177 MV Act", 500_00),
    Offence("Without reflectors or tail lamp, Rule 104 CMVR", 1062_75),
    Offence("निर्धारित गति सीमा से अधिक गति से वाहन चलाना, धारा 183(1) मो.वा. अधिनियम", 2000_00),
    Offence("लाल बत्ती का उल्लंघन, धारा 184 मो.वा. अधिनियम", 1000_00),
    Offence("बिना सीट बेल्ट वाहन चलाना, धारा 194B मो.वा. अधिनियम", 1000_00),
    Offence("नो पार्किंग में वाहन खड़ा करना, धारा 122/177 मो.वा. अधिनियम", 500_00),
    Offence("बिना वैध प्रदूषण प्रमाण पत्र के वाहन चलाना, धारा 190(2) मो.वा. अधिनियम", 10000_00),
    Offence("वाहन चलाते समय मोबाइल फोन का प्रयोग, धारा 184(c) मो.वा. अधिनियम", 5000_00),
)

STATES = {
    "MH": "Maharashtra",
    "DL": "Delhi",
    "KA": "Karnataka",
    "TN": "Tamil Nadu",
    "GJ": "Gujarat",
    "UP": "Uttar Pradesh",
    "RJ": "Rajasthan",
    "WB": "West Bengal",
    "TS": "Telangana",
    "HR": "Haryana",
    "KL": "Kerala",
    "MP": "Madhya Pradesh",
    "PB": "Punjab",
    "AP": "Andhra Pradesh",
}

PLACES = {
    "MH": ("NH-48 km 23, Panvel", "Sion circle, Mumbai", "JM Road, Pune", "Western Express Highway, Andheri"),
    "DL": ("ITO crossing", "Ring Road, Lajpat Nagar", "Mathura Road, Badarpur", "Dhaula Kuan flyover"),
    "KA": ("Silk Board junction, Bengaluru", "Hosur Road, Electronic City", "Mysuru Road, NICE junction"),
    "TN": ("Anna Salai, Chennai", "GST Road, Tambaram", "Avinashi Road, Coimbatore"),
    "GJ": ("SG Highway, Ahmedabad", "Ring Road, Surat", "NH-48, Vadodara toll plaza"),
    "UP": ("Yamuna Expressway km 41", "Hazratganj, Lucknow", "Sector 18, Noida"),
    "RJ": ("Tonk Road, Jaipur", "NH-62, Jodhpur bypass"),
    "WB": ("EM Bypass, Kolkata", "AJC Bose Road, Kolkata", "NH-12, Barasat"),
    "TS": ("Outer Ring Road, Gachibowli", "Begumpet, Hyderabad"),
    "HR": ("NH-48, Rajiv Chowk, Gurugram", "KMP Expressway km 88", "GT Road, Karnal"),
    "KL": ("NH-66, Edappally", "MC Road, Kottayam"),
    "MP": ("AB Road, Indore", "Hoshangabad Road, Bhopal"),
    "PB": ("GT Road, Ludhiana", "NH-44, Jalandhar bypass"),
    "AP": ("NH-16, Vijayawada", "Beach Road, Visakhapatnam"),
}

# Most of these can be paid; for the others the document has no list of values.
STATUSES = ("PENDING",) * 11 + ("TO_BE_ASSIGNED",) * 3 + (
    "DISPOSED", "PAID", "IN_COURT_REVIEW", "UNDER_VERIFICATION",
)  # fmt: skip
TYPES = ("ONLINE",) * 8 + ("OFFLINE", "COURT")

RC_TYPES = (
    ("LEASE", "Lease"),
    ("SELFDRIVEN", "Self driven"),
    ("CHAUFFEUR_DRIVEN", "Chauffeur driven"),
    ("TRUCK", "Truck"),
    ("MOTOR_CAB", "Motor cab"),
    ("PRIVATE_CAR", "Private car"),
    ("TRAILER", "Trailer"),
)

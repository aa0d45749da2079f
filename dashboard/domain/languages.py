"""Define the six languages of the messages to drivers: their words, and the original wordings.

The words that stand for an unknown value have the case that the original wording needs there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: From which hour each part of the day is named; before the first one it is night.
_MORNING, _AFTERNOON, _EVENING, _NIGHT = 4, 12, 16, 20


@dataclass(frozen=True, slots=True)
class Language:
    """Define a language: its own and English name, the locale of its dates, its words for unknowns, and its wordings.

    `one` are pairs of words about several challans and about one; `closing` says what `body` ends with, and what a
    message about several links ends with instead. Where it repeats the deadline, it stays with each link. A list of
    links of one vehicle begins with `listed` and `total`, and ends with `list_end` where `body` has no closing.
    """

    code: str
    name: str
    english: str
    locale: str
    #: Morning, afternoon, evening, night; empty where "am" and "pm" are written.
    day_parts: tuple[str, ...]
    #: What follows a time of day.
    o_clock: str
    #: Payment modes by the service's spelling; another is named as the service spells it.
    modes: Mapping[str, str]
    unknown_amount: str
    unknown_deadline: str
    any_mode: str
    one: tuple[tuple[str, str], ...]
    #: What stands under a code to pay by, beside plate and amount.
    pay_before: str
    scan_to_pay: str
    #: One challan, and several.
    counted: tuple[str, str]
    #: Which of the links of its vehicle a link is.
    part: str
    subject: str
    body: str
    closing: tuple[str, str]
    listed: str
    total: str
    receipt_subject: str
    receipt: str
    #: The question to the driver of a link whose payment failed.
    failed: str
    #: What was received, where the amount is known and where it is not.
    payment: str
    unknown_payment: str
    #: Lines below the thanks: the challans where they are few, what they come to, where what was received is not known,
    #: when it was paid, and the receipt.
    challan_numbers: str
    challan_total: str
    paid_at: str
    receipt_number: str
    #: How a day is written in a message.
    day: str = "d MMM"
    list_end: str = ""

    def time(self, hour: int, minute: int) -> str:
        """Write a time of day as people say it: "9:19 am", "सुबह 9:19 बजे"."""
        clock = f"{hour % 12 or 12}:{minute:02}"
        if not self.day_parts:
            return f"{clock} {'am' if hour < 12 else 'pm'}"
        night = hour < _MORNING or hour >= _NIGHT
        part = 3 if night else 0 if hour < _AFTERNOON else 1 if hour < _EVENING else 2
        return " ".join(word for word in (self.day_parts[part], clock, self.o_clock) if word)

    @property
    def to_pay(self) -> str:
        """Return what the subject asks for as a sentence of its own: "Pay {amount} before {deadline}"."""
        asked = self.subject.partition(": ")[2]
        return asked[:1].upper() + asked[1:]


LANGUAGES = {
    language.code: language
    for language in (
        Language(
            code="en",
            name="English",
            english="English",
            locale="en",
            day_parts=(),
            o_clock="",
            modes={"UPI": "UPI", "CREDIT_CARD": "credit card"},
            unknown_amount="the amount shown on the page",
            unknown_deadline="the time shown on the page",
            any_mode="any method shown there",
            one=(("unpaid challans", "unpaid challan"), ("{challans} challans", "{challans} challan")),
            pay_before="Pay before {deadline}",
            scan_to_pay="Scan to pay",
            counted=("{challans} challan", "{challans} challans"),
            part="Link {number} of {of}",
            subject="Challans of {vehicle}: pay {amount} before {deadline}",
            body="Hello {driver},\n\n"
            "Vehicle {vehicle} has {challans} unpaid challans. Please pay {amount} by {mode} before {deadline}:\n"
            "{url}\n\nThe link stops working after that.",
            closing=("The link stops working after that.", "Each link stops working after its own time."),
            listed="Vehicle {vehicle} has {challans} unpaid challans.",
            total="Total: {amount}",
            receipt_subject="Payment received: challans of {vehicle}",
            receipt="Hello {driver},\n\nWe received {payment} for {challans} challans of vehicle {vehicle}. Thank you.",
            failed="Hello {driver},\n\n"
            "A payment for the challans of vehicle {vehicle} failed. Was money taken from your account? "
            "Please tell us; if it was, also send the payment’s reference number (UTR). "
            "Do not pay again before we answer.",
            payment="{amount}",
            unknown_payment="your payment",
            challan_numbers="Challans: {numbers}",
            challan_total="Challan total: {amount}",
            paid_at="Paid: {when}",
            receipt_number="Receipt number: {number}",
        ),
        Language(
            code="hi",
            name="हिन्दी",
            english="Hindi",
            locale="hi_IN",
            day="d MMMM",
            day_parts=("सुबह", "दोपहर", "शाम", "रात"),
            o_clock="बजे",
            modes={"UPI": "UPI", "CREDIT_CARD": "क्रेडिट कार्ड"},
            unknown_amount="पेज पर दिखाई गई राशि",
            unknown_deadline="पेज पर दिखाए गए समय",
            any_mode="वहाँ दिए गए किसी भी तरीके",
            one=(
                ("के {challans} चालान बकाया हैं", "का {challans} चालान बकाया है"),
                ("{challans} चालानों", "{challans} चालान"),
            ),
            pay_before="{deadline} से पहले भुगतान करें",
            scan_to_pay="भुगतान के लिए स्कैन करें",
            counted=("{challans} चालान", "{challans} चालान"),
            part="लिंक {number}/{of}",
            subject="{vehicle} के चालान: {deadline} से पहले {amount} का भुगतान करें",
            body="नमस्ते {driver},\n\n"
            "वाहन {vehicle} के {challans} चालान बकाया हैं। "
            "कृपया {deadline} से पहले {mode} से {amount} का भुगतान करें:\n"
            "{url}\n\nइसके बाद यह लिंक काम नहीं करेगा।",
            closing=("इसके बाद यह लिंक काम नहीं करेगा।", "हर लिंक अपने समय के बाद काम नहीं करेगा।"),
            listed="वाहन {vehicle} के {challans} चालान बकाया हैं।",
            total="कुल: {amount}",
            receipt_subject="भुगतान मिला: {vehicle} के चालान",
            receipt="नमस्ते {driver},\n\nवाहन {vehicle} के {challans} चालानों के लिए {payment} मिल गया। धन्यवाद।",
            failed="नमस्ते {driver},\n\nवाहन {vehicle} के चालानों का भुगतान नहीं हो पाया। क्या आपके खाते से पैसे कटे हैं? "
            "कृपया हमें बताएँ; कटे हैं तो भुगतान का रेफ़रेंस नंबर (UTR) भी भेजें। हमारा जवाब आने तक दोबारा भुगतान न करें।",
            payment="{amount} का भुगतान",
            unknown_payment="आपका भुगतान",
            challan_numbers="चालान: {numbers}",
            challan_total="चालान की कुल राशि: {amount}",
            paid_at="भुगतान का समय: {when}",
            receipt_number="रसीद नंबर: {number}",
        ),
        Language(
            code="mr",
            name="मराठी",
            english="Marathi",
            locale="mr_IN",
            day="d MMMM",
            day_parts=("सकाळी", "दुपारी", "संध्याकाळी", "रात्री"),
            o_clock="",
            modes={"UPI": "UPI", "CREDIT_CARD": "क्रेडिट कार्ड"},
            unknown_amount="पानावर दाखवलेली रक्कम",
            unknown_deadline="पानावर दाखवलेली वेळ",
            any_mode="तिथे दिलेल्या कोणत्याही पद्धती",
            one=(("{challans} चलान भरणे बाकी आहेत", "{challans} चलान भरणे बाकी आहे"),),
            pay_before="{deadline} वाजण्यापूर्वी पैसे भरा",
            scan_to_pay="पैसे भरण्यासाठी स्कॅन करा",
            counted=("{challans} चलान", "{challans} चलान"),
            part="लिंक {number}/{of}",
            subject="{vehicle} चे चलान: {deadline} वाजण्यापूर्वी {amount} भरा",
            body="नमस्कार {driver},\n\n"
            "{vehicle} या वाहनाचे {challans} चलान भरणे बाकी आहेत. "
            "कृपया {deadline} वाजण्यापूर्वी {mode} द्वारे {amount} भरा:\n"
            "{url}\n\nत्यानंतर ही लिंक चालणार नाही.",
            closing=("त्यानंतर ही लिंक चालणार नाही.", "प्रत्येक लिंक तिच्या वेळेनंतर चालणार नाही."),
            listed="{vehicle} या वाहनाचे {challans} चलान भरणे बाकी आहेत.",
            total="एकूण: {amount}",
            receipt_subject="पैसे मिळाले: {vehicle} चे चलान",
            receipt="नमस्कार {driver},\n\n{vehicle} या वाहनाच्या {challans} चलानसाठी आम्हाला {payment} मिळाले. धन्यवाद.",
            failed="नमस्कार {driver},\n\n{vehicle} या वाहनाच्या चलानचे पैसे भरले गेले नाहीत. तुमच्या खात्यातून पैसे कापले गेले आहेत का? "
            "कृपया आम्हाला कळवा; कापले असतील तर पेमेंटचा रेफरन्स नंबर (UTR) सुद्धा पाठवा. आमचे उत्तर येईपर्यंत पुन्हा पैसे भरू नका.",
            payment="{amount}",
            unknown_payment="तुमचे पैसे",
            challan_numbers="चलान: {numbers}",
            challan_total="चलानची एकूण रक्कम: {amount}",
            paid_at="पैसे भरल्याची वेळ: {when}",
            receipt_number="पावती क्रमांक: {number}",
        ),
        Language(
            code="ta",
            name="தமிழ்",
            english="Tamil",
            locale="ta_IN",
            day_parts=("காலை", "மதியம்", "மாலை", "இரவு"),
            o_clock="மணி",
            modes={"UPI": "UPI", "CREDIT_CARD": "கிரெடிட் கார்டு"},
            unknown_amount="பக்கத்தில் காட்டப்படும் தொகையை",
            unknown_deadline="பக்கத்தில் காட்டப்படும் நேரம்",
            any_mode="அங்குள்ள ஏதேனும் ஒரு முறை",
            one=(
                ("{challans} சலான்கள் உள்ளன", "{challans} சலான் உள்ளது"),
                ("{challans} சலான்களுக்கு", "{challans} சலானுக்கு"),
            ),
            pay_before="செலுத்த கடைசி நேரம்: {deadline}",
            scan_to_pay="செலுத்த ஸ்கேன் செய்யவும்",
            counted=("{challans} சலான்", "{challans} சலான்கள்"),
            part="இணைப்பு {number}/{of}",
            subject="{vehicle} சலான்கள்: {amount} செலுத்தவும். கடைசி நேரம்: {deadline}",
            body="வணக்கம் {driver},\n\n"
            "{vehicle} வாகனத்திற்குச் செலுத்தப்படாத {challans} சலான்கள் உள்ளன. "
            "தயவுசெய்து {amount} {mode} மூலம் செலுத்தவும்:\n"
            "{url}\n\nசெலுத்தக் கடைசி நேரம்: {deadline}. அதன் பிறகு இந்த இணைப்பு செயல்படாது.",
            closing=("", ""),
            listed="{vehicle} வாகனத்திற்குச் செலுத்தப்படாத {challans} சலான்கள் உள்ளன.",
            total="மொத்தம்: {amount}",
            list_end="நேரம் முடிந்த பிறகு அந்த இணைப்பு செயல்படாது.",
            receipt_subject="தொகை கிடைத்தது: {vehicle} சலான்கள்",
            receipt="வணக்கம் {driver},\n\n{vehicle} வாகனத்தின் {challans} சலான்களுக்கு {payment} பெற்றுக்கொண்டோம். நன்றி.",
            failed="வணக்கம் {driver},\n\n{vehicle} வாகனத்தின் சலான்களுக்கான கட்டணம் செலுத்தப்படவில்லை. "
            "உங்கள் கணக்கிலிருந்து பணம் எடுக்கப்பட்டதா? தயவுசெய்து எங்களிடம் சொல்லுங்கள்; "
            "எடுக்கப்பட்டிருந்தால் பரிவர்த்தனை எண்ணையும் (UTR) அனுப்புங்கள். எங்கள் பதில் வரும் வரை மீண்டும் செலுத்த வேண்டாம்.",
            payment="{amount}",
            unknown_payment="உங்கள் தொகையை",
            challan_numbers="சலான்கள்: {numbers}",
            challan_total="சலான் மொத்தம்: {amount}",
            paid_at="செலுத்திய நேரம்: {when}",
            receipt_number="ரசீது எண்: {number}",
        ),
        Language(
            code="te",
            name="తెలుగు",
            english="Telugu",
            locale="te_IN",
            day_parts=("ఉదయం", "మధ్యాహ్నం", "సాయంత్రం", "రాత్రి"),
            o_clock="",
            modes={"UPI": "UPI", "CREDIT_CARD": "క్రెడిట్ కార్డ్"},
            unknown_amount="పేజీలో చూపిన మొత్తం",
            unknown_deadline="పేజీలో చూపిన సమయం",
            any_mode="అక్కడ ఉన్న ఏదైనా పద్ధతి",
            one=(
                ("{challans} చలాన్లు పెండింగ్‌లో ఉన్నాయి", "{challans} చలాన్ పెండింగ్‌లో ఉంది"),
                ("{challans} చలాన్లకు", "{challans} చలాన్‌కు"),
            ),
            pay_before="{deadline} లోపు చెల్లించండి",
            scan_to_pay="చెల్లించడానికి స్కాన్ చేయండి",
            counted=("{challans} చలాన్", "{challans} చలాన్లు"),
            part="లింక్ {number}/{of}",
            subject="{vehicle} చలాన్లు: {deadline} లోపు {amount} చెల్లించండి",
            body="నమస్తే {driver},\n\n"
            "వాహనం {vehicle} పై {challans} చలాన్లు పెండింగ్‌లో ఉన్నాయి. "
            "దయచేసి {deadline} లోపు {mode} ద్వారా {amount} చెల్లించండి:\n"
            "{url}\n\nఆ తర్వాత ఈ లింక్ పనిచేయదు.",
            closing=("ఆ తర్వాత ఈ లింక్ పనిచేయదు.", "గడువు తర్వాత ఆ లింక్ పనిచేయదు."),
            listed="వాహనం {vehicle} పై {challans} చలాన్లు పెండింగ్‌లో ఉన్నాయి.",
            total="మొత్తం: {amount}",
            receipt_subject="చెల్లింపు అందింది: {vehicle} చలాన్లు",
            receipt="నమస్తే {driver},\n\nవాహనం {vehicle} యొక్క {challans} చలాన్లకు {payment} అందింది. ధన్యవాదాలు.",
            failed="నమస్తే {driver},\n\nవాహనం {vehicle} చలాన్ల చెల్లింపు విఫలమైంది. మీ ఖాతా నుండి డబ్బు కట్ అయిందా? "
            "దయచేసి మాకు చెప్పండి; కట్ అయితే లావాదేవీ నంబర్ (UTR) కూడా పంపండి. మా సమాధానం వచ్చే వరకు మళ్లీ చెల్లించవద్దు.",
            payment="{amount}",
            unknown_payment="మీ చెల్లింపు",
            challan_numbers="చలాన్లు: {numbers}",
            challan_total="చలాన్ మొత్తం: {amount}",
            paid_at="చెల్లించిన సమయం: {when}",
            receipt_number="రసీదు సంఖ్య: {number}",
        ),
        Language(
            code="kn",
            name="ಕನ್ನಡ",
            english="Kannada",
            locale="kn_IN",
            day_parts=("ಬೆಳಿಗ್ಗೆ", "ಮಧ್ಯಾಹ್ನ", "ಸಂಜೆ", "ರಾತ್ರಿ"),
            o_clock="",
            modes={"UPI": "UPI", "CREDIT_CARD": "ಕ್ರೆಡಿಟ್ ಕಾರ್ಡ್"},
            unknown_amount="ಪುಟದಲ್ಲಿ ತೋರಿಸಿದ ಮೊತ್ತ",
            unknown_deadline="ಪುಟದಲ್ಲಿ ತೋರಿಸಿದ ಸಮಯದ",
            any_mode="ಅಲ್ಲಿರುವ ಯಾವುದೇ ವಿಧಾನದ",
            one=(
                ("{challans} ಚಲನ್‌ಗಳು ಬಾಕಿ ಇವೆ", "{challans} ಚಲನ್ ಬಾಕಿ ಇದೆ"),
                ("{challans} ಚಲನ್‌ಗಳಿಗೆ", "{challans} ಚಲನ್‌ಗೆ"),
            ),
            pay_before="{deadline} ಒಳಗೆ ಪಾವತಿಸಿ",
            scan_to_pay="ಪಾವತಿಸಲು ಸ್ಕ್ಯಾನ್ ಮಾಡಿ",
            counted=("{challans} ಚಲನ್", "{challans} ಚಲನ್‌ಗಳು"),
            part="ಲಿಂಕ್ {number}/{of}",
            subject="{vehicle} ಚಲನ್‌ಗಳು: {deadline} ಒಳಗೆ {amount} ಪಾವತಿಸಿ",
            body="ನಮಸ್ಕಾರ {driver},\n\n"
            "{vehicle} ವಾಹನದ ಮೇಲೆ {challans} ಚಲನ್‌ಗಳು ಬಾಕಿ ಇವೆ. "
            "ದಯವಿಟ್ಟು {deadline} ಒಳಗೆ {mode} ಮೂಲಕ {amount} ಪಾವತಿಸಿ:\n"
            "{url}\n\nಅದರ ನಂತರ ಈ ಲಿಂಕ್ ಕೆಲಸ ಮಾಡುವುದಿಲ್ಲ.",
            closing=("ಅದರ ನಂತರ ಈ ಲಿಂಕ್ ಕೆಲಸ ಮಾಡುವುದಿಲ್ಲ.", "ಸಮಯ ಮುಗಿದ ನಂತರ ಆ ಲಿಂಕ್ ಕೆಲಸ ಮಾಡುವುದಿಲ್ಲ."),
            listed="{vehicle} ವಾಹನದ ಮೇಲೆ {challans} ಚಲನ್‌ಗಳು ಬಾಕಿ ಇವೆ.",
            total="ಒಟ್ಟು: {amount}",
            receipt_subject="ಪಾವತಿ ಬಂದಿದೆ: {vehicle} ಚಲನ್‌ಗಳು",
            receipt="ನಮಸ್ಕಾರ {driver},\n\n{vehicle} ವಾಹನದ {challans} ಚಲನ್‌ಗಳಿಗೆ {payment} ಸ್ವೀಕರಿಸಿದ್ದೇವೆ. ಧನ್ಯವಾದಗಳು.",
            failed="ನಮಸ್ಕಾರ {driver},\n\n{vehicle} ವಾಹನದ ಚಲನ್‌ಗಳ ಪಾವತಿ ವಿಫಲವಾಗಿದೆ. ನಿಮ್ಮ ಖಾತೆಯಿಂದ ಹಣ ಕಡಿತವಾಗಿದೆಯೇ? "
            "ದಯವಿಟ್ಟು ನಮಗೆ ತಿಳಿಸಿ; ಕಡಿತವಾಗಿದ್ದರೆ ವಹಿವಾಟು ಸಂಖ್ಯೆಯನ್ನೂ (UTR) ಕಳುಹಿಸಿ. ನಮ್ಮ ಉತ್ತರ ಬರುವವರೆಗೆ ಮತ್ತೆ ಪಾವತಿಸಬೇಡಿ.",
            payment="{amount}",
            unknown_payment="ನಿಮ್ಮ ಪಾವತಿಯನ್ನು",
            challan_numbers="ಚಲನ್‌ಗಳು: {numbers}",
            challan_total="ಚಲನ್ ಒಟ್ಟು: {amount}",
            paid_at="ಪಾವತಿಸಿದ ಸಮಯ: {when}",
            receipt_number="ರಸೀದಿ ಸಂಖ್ಯೆ: {number}",
        ),
    )
}
DEFAULT_LANGUAGE = LANGUAGES["en"]

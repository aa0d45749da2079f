"""Accept, hash and verify passwords (argon2id)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from dashboard.domain.safe_text import TextTooLong, normalized
from dashboard.services.accounts.hashing_places import HashingPlaces
from dashboard.services.accounts.refusals import Refused

SHORTEST, LONGEST = 8, 256

#: The passwords that are guessed first; compared without case, and without digits and signs at the end.
_COMMON_WORDS = """
    password passwort passw0rd p@ssword p@ssw0rd pass word letmein welcome welcome1 qwerty qwertyuiop qwerty123 azerty
    asdfghjkl asdfasdf zxcvbnm zxcvbnm1 iloveyou ilovegod lovely sunshine princess football cricket baseball basketball
    superman batman spiderman pokemon dragon monkey master shadow michael jordan jennifer jessica charlie computer
    internet whatever trustno starwars freedom liverpool chelsea arsenal barcelona hello hellohello helloworld
    administrator admin adminadmin root rootroot user useruser guest test testtest tester testing changeme default
    secret secretsecret access login signin abcdefgh abcdefghi abcd abcabc abc aaaaaaaa qazwsx qazwsxedc 1q2w3e4r
    1qaz2wsx zaq12wsx q1w2e3r4 q1w2e3r4t5 12345678 123456789 1234567890 0123456789 87654321 987654321 11111111 00000000
    12341234 11223344 123123123 12121212 88888888 99999999 66666666 55555555 102030 147258369 789456123 1234qwer
    india indian bharat jaihind mumbai delhi pune chennai kolkata bangalore bengaluru hyderabad ganesh krishna jaimatadi
    saibaba sairam omsairam omnamahshivaya tiger challan challans dashboard challandashboard fleet vehicle driver
"""
_COMMON = frozenset(_COMMON_WORDS.split())
#: Printed by the demo for everybody to read, so no password of a real database.
DEMO_PASSWORD = "fleet-demo-1947"  # noqa: S105 - public, of the demo.


@cache
def _known() -> frozenset[str]:
    """Return the passwords that leaks hold most often; where they come from is in common_passwords-LICENSE.txt."""
    file = Path(__file__).with_name("common_passwords.txt")
    return frozenset(file.read_text(encoding="ascii").split("\n")) | {DEMO_PASSWORD}


class PasswordRefused(Refused):
    """Report that a new password is not accepted, to the person who chose it."""


def check_new(password: str, *, email: str, name: str) -> None:
    """Raise PasswordRefused for a password that is too short, too long or easy to guess."""
    try:
        password = _normal(password)
    except TextTooLong:
        raise PasswordRefused("A password has at most %(longest)s characters.", longest=LONGEST) from None
    if len(password) < SHORTEST:
        raise PasswordRefused("A password has at least %(shortest)s characters.", shortest=SHORTEST)
    lowered = password.casefold()
    bare = lowered.rstrip("0123456789!@#$%&*._-?")
    own = {email.casefold(), email.casefold().partition("@")[0], name.casefold(), name.casefold().replace(" ", "")}
    is_known = bool({lowered, bare} & (_COMMON | _known()))
    if is_known or lowered in own or len(set(lowered)) < 3:
        raise PasswordRefused("This password is among the first that anybody would guess. Choose another.")


def _hasher() -> PasswordHasher:
    # 19 MiB and two passes are the least that OWASP recommends; 64 threads at once stay near 1 GiB.
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@dataclass(frozen=True)
class Passwords:
    """Hash and verify passwords; verifying takes the same time when there is no hash to compare with.

    Both raise Busy when too many do so at once.
    """

    hasher: PasswordHasher = field(default_factory=_hasher)
    places: HashingPlaces = field(default_factory=HashingPlaces)

    @cached_property
    def _hash_of_nobody(self) -> str:
        return self.hasher.hash("the hash that is compared with when there is nobody")

    def hash(self, password: str) -> str:
        with self.places.place():
            return self.hasher.hash(_normal(password))

    def verify(self, password_hash: str | None, password: str, *, known: bool = True) -> bool:
        """Return whether a password is the one of a hash; never, and as slowly, without a hash."""
        try:
            password = _normal(password)
        except TextTooLong:  # No password is that long, and a refusal takes the usual time.
            password_hash, password = None, ""
        try:
            with self.places.place(known=known):
                self.hasher.verify(password_hash or self._hash_of_nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return bool(password_hash)  # Whoever was invited and has set none has an empty one.

    def is_outdated(self, password_hash: str) -> bool:
        """Return whether a hash was made at a lower cost than the current one."""
        return self.hasher.check_needs_rehash(password_hash)


def _normal(password: str) -> str:
    # Two keyboards may write the same letter differently.
    return normalized(password, LONGEST)

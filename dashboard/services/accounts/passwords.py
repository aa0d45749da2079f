"""Accept, hash and verify passwords (argon2id)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

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


class PasswordRefused(ValueError):
    """Report that a new password is not accepted; `str()` is a sentence for the person who chose it."""


def check_new(password: str, *, email: str, name: str) -> None:
    """Raise PasswordRefused for a password that is too short, too long or easy to guess."""
    password = _normal(password)
    if len(password) < SHORTEST:
        raise PasswordRefused(f"A password has at least {SHORTEST} characters.")
    if len(password) > LONGEST:
        raise PasswordRefused(f"A password has at most {LONGEST} characters.")
    lowered = password.casefold()
    bare = lowered.rstrip("0123456789!@#$%&*._-?")
    own = {email.casefold(), email.casefold().partition("@")[0], name.casefold(), name.casefold().replace(" ", "")}
    if lowered in _COMMON or bare in _COMMON or lowered in own or len(set(lowered)) < 3:
        raise PasswordRefused("This password is among the first that anybody would guess. Choose another.")


def _hasher() -> PasswordHasher:
    # 19 MiB and two passes are the least that OWASP recommends; 64 threads at once stay near 1 GiB.
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@dataclass(frozen=True)
class Passwords:
    """Hash and verify passwords; verifying takes the same time when there is no hash to compare with."""

    hasher: PasswordHasher = field(default_factory=_hasher)

    @cached_property
    def _hash_of_nobody(self) -> str:
        return self.hasher.hash("the hash that is compared with when there is nobody")

    def hash(self, password: str) -> str:
        return self.hasher.hash(_normal(password))

    def verify(self, password_hash: str | None, password: str) -> bool:
        """Return whether a password is the one of a hash; never, and as slowly, without a hash."""
        password = _normal(password[: LONGEST + 1])
        try:
            self.hasher.verify(password_hash or self._hash_of_nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return password_hash is not None and len(password) <= LONGEST

    def is_outdated(self, password_hash: str) -> bool:
        """Return whether a hash was made at a lower cost than the current one."""
        return self.hasher.check_needs_rehash(password_hash)


def _normal(password: str) -> str:
    # Two keyboards may write the same letter differently.
    return unicodedata.normalize("NFKC", password)

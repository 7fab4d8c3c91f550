"""The exceptions of the kernel. The message of each is a sentence that a person can act on.

If anything is wrong with a file, the kernel raises a ``CertificateError``: ``decide`` turns other exceptions into it.
"""


class VerifierError(Exception):
    """The base of every error that this package raises on purpose."""


class IllegalMoveError(VerifierError):
    """A move that the rules do not allow in a position; ``reason`` names the broken rule."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class SpecError(VerifierError):
    """A spec, formula, strategy or statement that is not well formed, or that does not exist."""


class NotationError(SpecError):
    """A text that is not a move, or not a position, in the notation of the game."""


MAX_MESSAGE = 2000
"""Maximum length of a message. Messages quote names from files, and a name can have any length."""

UNDECIDED = frozenset({"limit", "too-large", "time", "died", "unreadable", "version"})
"""Reasons that say nothing against a certificate: a limit, a process that died, an unreadable file or version."""


class CertificateError(VerifierError):
    """A certificate that does not show its verdict. ``reason`` is a fixed word; the message says where and why.

    The certificate is not decided if the reason is in ``UNDECIDED``; otherwise it is rejected.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message if len(message) <= MAX_MESSAGE else f"{message[:MAX_MESSAGE]}…")
        self.reason = reason

    @property
    def is_undecided(self) -> bool:
        """True: the certificate is not decided; False: it is rejected."""
        return self.reason in UNDECIDED

    def __str__(self) -> str:
        return f"{self.args[0]}: {self.args[1]}"


class UsageError(VerifierError):
    """A command or a call that asks for something that does not exist, or that cannot be done."""

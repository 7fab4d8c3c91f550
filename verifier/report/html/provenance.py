"""Where a report comes from: versions, rule sets, hashes of what went in and came out, and the command."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from dataclasses import dataclass

from verifier.kernel.certificate import hash_value
from verifier.kernel.games import Game, find_rules
from verifier.kernel.games.threesome4x4 import Threesome
from verifier.kernel.games.ultimate import Ultimate
from verifier.report.json import tool_versions
from verifier.report.registry import Report


@dataclass(frozen=True, slots=True)
class Provenance:
    """What it takes to make a report again, and to see whether it is the same one.

    Attributes:
        command: the command line.
        versions: the tool, Python and the libraries, with their versions.
        specs: the SHA-256 of the names and bytes of all spec files.
        evidence: the SHA-256 of the list of certificates, each with its own.
        rules: each rule set in use, what it is, and how many claims are about it.
    """

    command: str
    versions: tuple[tuple[str, str], ...]
    specs: str
    evidence: str
    rules: tuple[tuple[str, str, int], ...]


def describe_provenance(report: Report) -> Provenance:
    """Return where a report comes from."""
    used = Counter(claim.model.rules for claim in report.ledger.claims)
    return Provenance(
        command=report.command,
        versions=tuple(tool_versions().items()),
        specs=hash_specs(report),
        evidence=hash_evidence(report),
        rules=tuple((name, describe_rules(find_rules(name)), count) for name, count in sorted(used.items())),
    )


def hash_evidence(report: Report) -> str:
    """Return the SHA-256 of the list of certificates, each with its own."""
    return hash_value([[r.claim, r.reading, r.path, r.sha256] for r in report.ledger.readings if r.path])


def hash_specs(report: Report) -> str:
    """Return the SHA-256 of the names and bytes of all spec files."""
    digest = hashlib.sha256()
    for path in sorted(report.specs.rglob("*.yaml")):
        data = path.read_bytes()
        name = os.fsencode(path.relative_to(report.specs).as_posix())
        digest.update(b"%b\0%d\0" % (name, len(data)))
        digest.update(data)
    return digest.hexdigest()


def describe_rules(game: Game) -> str:
    """Say in a sentence what a rule set is."""
    if isinstance(game, Ultimate):
        if game.closed:
            reach = "any free spot of the board" if game.free_reaches_decided else "any open field"
            return f"A field that is won or full is closed; who is sent there plays in {reach}."
        ending = "; three fields in a line do not end the game" if game.play_on else ""
        return f"The paper's rules: a won field is played on while it has a free spot{ending}."
    if isinstance(game, Threesome):
        eighth = "wins" if game.eighth_wins else "loses"
        return f"The 4×4 game: X's threesome on the eighth turn {eighth}; a threesome is “{game.threesome}”."
    return "Ordinary tic-tac-toe on nine spots."

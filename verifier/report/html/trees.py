"""The strategy tree of each claim: a picture of its plays or, if there is no picture, a table or a sentence.

The picture is the folded strategy graph (``graph/fold.py``). A box in it is a group of positions. Its counts come from
the kernel's *walk*, the list of all positions of the plays. The counts in a table come from the certificate. Pictures
take long to make, so they are remembered for the same certificate.
"""

from __future__ import annotations

import base64
import contextlib
import re
import zlib
from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from markupsafe import Markup

from verifier.audit.keys import PACK
from verifier.audit.ledger import ClaimResult
from verifier.graph.fold import fold_plays
from verifier.graph.plays import follow_walk
from verifier.graph.tree import draw_folded_graph
from verifier.kernel.certificate import CertificateContent, hash_value, unpack
from verifier.kernel.errors import CertificateError, SpecError, UsageError
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.race.bound import parse_lemma
from verifier.kernel.verdict import Verdict
from verifier.kernel.words import counted
from verifier.presentation.svg import draw_svg
from verifier.questions.finding import hash_plays
from verifier.questions.result import ReadingResult
from verifier.report.registry import Report

MAX_POSITIONS_DRAWN = 70_000
"""Maximum number of positions in the plays that a picture of a report shows."""


class TreeView(NamedTuple):
    """The strategy tree of a claim, or the table or sentence that takes its place.

    Attributes:
        reading: the reading whose plays it shows, as ``CLAIM/READING``.
        said: a sentence below the picture or the table.
        picture: the folded strategy graph; empty if there is none.
        header, rows: a table; empty if there is none.
        board: a position, drawn as an example for the table.
        home: another claim, which has the same plays and their picture; empty if there is no such claim.
    """

    reading: str
    said: str
    picture: Markup = Markup()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    board: Markup | None = None
    home: str = ""

    @property
    def packed(self) -> str:
        """The picture, compressed."""
        return base64.b64encode(zlib.compress(self.picture.encode(), 9)).decode()

    @property
    def size(self) -> tuple[str, ...]:
        """The width and the height of the picture."""
        return tuple(re.findall(r' (?:width|height)="([\d.]+)"', self.picture)[:2])


def view_trees(report: Report, first: Collection[str]) -> dict[str, TreeView]:
    """Return the strategy trees of the claims of a report, by claim.

    Args:
        report: the report.
        first: claims to look at first. If several claims have the same plays, the first claim with a picture keeps it,
            and the others name this claim.
    """
    found, homes = dict[str, TreeView](), dict[str, str]()
    for claim in sorted(report.ledger.claims, key=lambda claim: claim.id not in first):
        tree = _find_tree(report, claim, homes)
        if tree is not None:
            found[claim.id] = tree
    return found


def _find_tree(report: Report, claim: ClaimResult, homes: dict[str, str]) -> TreeView | None:
    """Return the first tree with a picture or a table, or else any tree. Proved readings come first, controls last."""
    trees = list[TreeView]()
    for result in sorted(claim.readings, key=lambda result: (result.control, result.verdict is not Verdict.PROVED)):
        tree = None if result.certificate is None or result.trouble else _view_tree(report, result, homes)
        if tree is not None and (tree.picture or tree.home or tree.rows):
            return tree
        trees += [tree] if tree is not None else []
    return trees[0] if trees else None


def _view_tree(report: Report, result: ReadingResult, homes: dict[str, str]) -> TreeView | None:
    filed = result.certificate
    if filed is None:
        return None
    with contextlib.suppress(CertificateError):  # the certificate may have been deleted since
        certificate = report.store.certificate(filed.key, filed.sha256)
        match certificate.statement["kind"]:
            case "play" | "steps" if "obligations" in certificate.evidence:
                return _list_obligations(report, result.name, certificate)
            case "bound":
                return _list_replies(report, result, certificate)
            case "play" if "line" in certificate.evidence:
                return None
            case "play":
                evidence = {key: certificate.evidence.get(key) for key in ("table", "symmetries", "objective")}
                plays = hash_value([hash_plays(certificate.statement), certificate.verdict, evidence])
                if plays in homes:
                    return TreeView(result.name, "", home=homes[plays])
                tree = _view_plays(report, result, certificate)
                if tree is not None and tree.picture:
                    homes[plays] = result.claim
                return tree
    return None


def _view_plays(report: Report, result: ReadingResult, certificate: CertificateContent) -> TreeView | None:
    """Return a picture of the plays; if the kernel keeps no walk, a table with the number of positions at each ply."""
    size = result.stats.get("positions", 0)
    if size > MAX_POSITIONS_DRAWN:
        many = f"It has {size:,} positions, too many for this page"
        return TreeView(result.name, f"{many}: verifier graph {result.name} --out tree.svg draws it.")
    drawn = report.library.drawings.get(parse_rules(certificate.statement["rules"]))
    given = ["tree", result.name, result.certificate and result.certificate.sha256, drawn and drawn.model_dump()]
    picture = (report.store.recall(PACK, given) or {}).get("picture")
    if not isinstance(picture, str):
        picture = _draw(result.name, certificate, report)
        report.store.remember(PACK, given, {"picture": picture})
    if not picture:
        return _list_plies(report, result, certificate)
    return TreeView(result.name, _explain(certificate), Markup(picture))  # noqa: S704 - graph/tree.py escapes


def _draw(name: str, certificate: CertificateContent, report: Report) -> str:
    """Return the picture; empty if the kernel keeps no walk, or if there are too many positions."""
    with contextlib.suppress(UsageError):  # too many positions
        walked = follow_walk(certificate, report.store.read)
        if walked is not None:
            graph = fold_plays(walked)
            graph.graph["reading"] = name
            return draw_folded_graph(graph, walked.statement.game, report.library.drawings, is_file=False)
    return ""


def _explain(certificate: CertificateContent) -> str:
    by = "phase of the strategy" if certificate.statement.get("strategies") else "ply, or several plies"
    said = f"A box is a {by}, with one of its positions as an example. An arrow says how many moves lead on"
    return f"{said}, and which rules answer." if certificate.statement.get("strategies") else f"{said}."


def _list_plies(report: Report, result: ReadingResult, certificate: CertificateContent) -> TreeView | None:
    """Return how many positions a table has at each ply, and what the table leaves out."""
    statement, evidence = certificate.statement, certificate.evidence
    with contextlib.suppress(CertificateError, SpecError, KeyError, AttributeError):
        game = parse_rules(statement["rules"])
        moves = unpack(report.store.read(evidence["table"]), "the table")["moves"]
        counts = Counter(game.ply(game.parse_position(text)) for text in moves)
        rows = tuple((str(ply), f"{counts[ply]:,}") for ply in sorted(counts))
        claimant = game.players[statement["claimant"]]
        said = (
            f"The certificate has a move of {claimant}'s for each of these positions. Replies after which {claimant} "
            "can win at once are left out. So the kernel has no list of all positions, and there is no picture."
        )
        return TreeView(result.name, said, header=("ply", "positions in the table"), rows=rows)
    return None


def _list_replies(report: Report, result: ReadingResult, certificate: CertificateContent) -> TreeView:
    """Return how many replies the tables of a bound have, by the number of marks that Xavier has left."""
    counts = Counter[int]()
    for name in certificate.evidence["tables"]:
        lemma = parse_lemma(unpack(report.store.read(name), "the replies"), "the replies")
        counts.update({marks: len(replies) for marks, replies in lemma.replies.items()})
    rows = tuple((str(marks), f"{counts[marks]:,}") for marks in sorted(counts, reverse=True))
    tried = counted(result.stats.get("leaves", 0), "position")
    said = (
        "These are Olivia's replies in a game that is easier for Xavier, because only he can win it. If he cannot win "
        "it by this ply, he cannot win the real game by this ply either. The replies end in "
        f"{tried}. From there the kernel tries every move."
    )
    return TreeView(result.name, said, header=("marks that Xavier has left", "replies in the easier game"), rows=rows)


def _list_obligations(report: Report, name: str, certificate: CertificateContent) -> TreeView:
    """Return what has to be shown: each obligation, the cases for which it is listed, and the hypotheses it needs."""
    statement, evidence = certificate.statement, certificate.evidence
    parts = [part["part"] for part in statement.get("parts", [])]
    found = dict[tuple[str, str], list[str]]()
    for part, obligation, needs in evidence["obligations"]["shown"]:
        where = parts[part] if parts else ""
        found.setdefault((obligation, ", ".join(needs) or "no hypothesis"), []).append(where)
    header = ("has to be shown", "the proof needs", *["in the case"] * bool(parts))
    rows = tuple((*key, *[", ".join(dict.fromkeys(cases))] * bool(parts)) for key, cases in found.items())
    model = next(iter(evidence.get("models", [])), None)
    board = None
    if model is not None:
        game = parse_rules(statement["rules"])
        position = game.parse_position(model["position"])
        title = f"A position of the case {parts[model['part']]}"
        drawn = draw_svg(game, position, title=title, is_still=True, drawings=report.library.drawings)
        board = Markup(drawn)  # noqa: S704 - svg.py escapes
    said = (
        "The argument is about all positions at once, so there is no tree. "
        "The table lists the obligations: what has to be shown, and from which hypotheses."
    )
    return TreeView(name, said, header=header, rows=rows, board=board)

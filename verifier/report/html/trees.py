"""The strategy tree of each claim: a picture of its plays or, if there is no picture, a table or a sentence.

The picture is the folded strategy graph (``graph/fold.py``). A box in it is a group of positions. Its counts come from
the kernel's *walk*, the list of all positions of the plays. The counts in a table come from the certificate. It takes
long to make a picture. So several processes make the pictures, and a picture is remembered until its certificate
changes. The trees of a whole report are remembered too, until a result changes.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from markupsafe import Markup

from verifier.audit.keys import PACK
from verifier.audit.ledger import ClaimResult
from verifier.audit.store import Store
from verifier.graph.fold import add_sentences, fold_plays
from verifier.graph.plays import follow_walk
from verifier.graph.tree import draw_folded_graph
from verifier.kernel.certificate import CertificateContent, hash_value, unpack
from verifier.kernel.errors import CertificateError, SpecError, UsageError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.race.bound import parse_lemma
from verifier.kernel.verdict import Verdict
from verifier.kernel.words import counted
from verifier.language.library import Library
from verifier.language.rules.drawn import DrawnClause
from verifier.pool import Pool, call_or_begin
from verifier.presentation.registry import find_presentation
from verifier.presentation.saying import say_phases, say_strategy
from verifier.presentation.svg import draw_svg
from verifier.questions.finding import hash_plays
from verifier.questions.result import ReadingResult
from verifier.report.html.deflate import deflate
from verifier.report.registry import Report
from verifier.report.show import say_images

MAX_POSITIONS_DRAWN = 70_000
"""Maximum number of positions in the plays that a picture of a report shows."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
"""Numbers in words, up to the maximum number of groups in a picture (``MAX_GROUPS`` in ``graph/fold.py``)."""


class TreeView(NamedTuple):
    """The strategy tree of a claim, or the table or sentence that takes its place.

    Attributes:
        reading: the reading whose plays it shows, as ``CLAIM/READING``.
        said: a sentence below the picture or the table.
        picture: the folded strategy graph; empty if there is none.
        header, rows: a table; empty if there is none.
        board: a position, drawn as an example for the table.
        home: another claim, which has the same plays and their picture; empty if there is no such claim.
        heading: what the picture, the table or the sentence is.
        caption: what the board is; empty if there is no board.
    """

    reading: str
    said: str
    picture: Markup = Markup()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    board: Markup | None = None
    home: str = ""
    heading: str = "The strategy tree"
    caption: str = ""

    @property
    def packed(self) -> str:
        """The picture, compressed."""
        return deflate(self.picture)

    @property
    def groups(self) -> str:
        """How many phases, or rules of the strategy, the picture has, as a heading; empty if it has none."""
        counts = Counter(re.findall(r'data-node="(phase|rule) ', self.picture))
        said = [
            f"{_NUMBERS[count] if count < len(_NUMBERS) else count} {word}{'s' * (count > 1)}"
            for word, count in sorted(counts.items())
        ]
        return f"The {' and '.join(said)}, and how play ends" if said else ""

    @property
    def size(self) -> tuple[str, ...]:
        """The width and the height of the picture."""
        return tuple(re.findall(r' (?:width|height)="([\d.]+)"', self.picture)[:2])


def view_trees(report: Report, first: Collection[str], pool: Pool | None = None) -> dict[str, TreeView]:
    """Return the strategy trees of the claims of a report, by claim.

    Args:
        report: the report.
        first: claims to look at first. If several claims have the same plays, the first claim with a picture keeps it,
            and the others name this claim.
        pool: the processes that make pictures; None if this process makes them.
    """
    claims = sorted(report.ledger.claims, key=lambda claim: claim.id not in first)
    trees = _Trees(report)
    drawn = [[game.data, clause.model_dump()] for game, clause in trees.drawings.items()]
    said = [say_phases(report.library, result.claim, result.id) for claim in claims for result in claim.readings]
    given = ["trees", list(map(_describe_claim, claims)), drawn, said]
    value = report.store.recall(PACK, given) or {}
    with contextlib.suppress(LookupError, TypeError, AttributeError):  # another form: make the trees again
        return {claim: _tree_from_json(item) for claim, item in value["trees"].items()}
    if pool is not None:
        trees.begin(pool, claims)
    found = {claim.id: tree for claim in claims if (tree := trees.find(claim)) is not None}
    if not trees.is_partial:
        report.store.remember(PACK, given, {"trees": {claim: tree._asdict() for claim, tree in found.items()}})
    return found


def list_rule_words(library: Library, tree: TreeView) -> list[tuple[str, str]]:
    """Return the rules that a picture names, each with its words; rules without words are left out."""
    claim, _, name = tree.reading.partition("/")
    reading = library.claim(claim).readings[name]
    found = dict[str, str]()
    for strategy in getattr(reading, "strategies", {}).values() if tree.picture else ():
        for label, rule in say_strategy(library.strategy(strategy.partition("#")[0])).items():
            short, place = label.partition(".")[2] or label, f" ({rule.place})" if rule.place else ""
            if rule.says and re.search(rf"“{re.escape(short)}”</text>", tree.picture):
                found.setdefault(short, f"{rule.says}{place}")
    return [*found.items()]


def _describe_claim(claim: ClaimResult) -> list[Any]:
    """Return all values on which the tree of a claim depends."""
    return [
        claim.id,
        [
            [result.name, result.control, str(result.verdict), result.trouble, result.certificate.sha256, result.stats]
            for result in claim.readings
            if result.certificate is not None
        ],
    ]


def _tree_from_json(value: Mapping[str, Any]) -> TreeView:
    texts = {key: Markup(value[key]) for key in ("picture", "board") if value[key] is not None}  # noqa: S704 - ours
    lists = {"header": tuple(value["header"]), "rows": tuple(map(tuple, value["rows"]))}
    return TreeView(**{**value, **texts, **lists})


@dataclass(slots=True)
class _Trees:
    """Makes the trees of a report.

    Attributes:
        homes: for each picture, the claim that shows it, by the hash of the plays.
        begun: the pictures that other processes make, by reading.
        is_partial: whether a certificate could not be read. It may have been deleted since the ledger was made.
    """

    report: Report
    drawings: dict[Game, DrawnClause] = field(init=False)
    homes: dict[str, str] = field(default_factory=dict)
    begun: dict[str, Callable[[], str]] = field(default_factory=dict)
    is_partial: bool = False

    def __post_init__(self) -> None:
        self.drawings = self.report.library.drawings

    def begin(self, pool: Pool, claims: Iterable[ClaimResult]) -> None:
        """For each claim, let another process make the picture of the first reading, unless it is remembered."""
        met = set[str]()
        for claim in claims:
            result = next(iter(_list_readings(claim)), None)
            with contextlib.suppress(CertificateError):
                certificate = None if result is None else self._read(result)
                if result is None or certificate is None or not _has_plays(certificate) or _is_too_large(result):
                    continue
                plays = _hash_tree(certificate)
                if plays not in met and self._recall(result, certificate) is None:
                    drawn = self._find_drawn(certificate)
                    said = say_phases(self.report.library, result.claim, result.id)
                    begun = call_or_begin(pool, _draw, result.name, certificate, self.report.store, drawn, said)
                    self.begun[result.name] = begun
                met.add(plays)

    def find(self, claim: ClaimResult) -> TreeView | None:
        """Return the claim's first tree with a picture or a table; if no tree has one, return its first tree."""
        trees = list[TreeView]()
        for result in _list_readings(claim):
            tree = None
            try:
                tree = self._view(result)
            except CertificateError:
                self.is_partial = True
            if tree is not None and (tree.picture or tree.home or tree.rows):
                return tree
            trees += [tree] if tree is not None else []
        return trees[0] if trees else None

    def _read(self, result: ReadingResult) -> CertificateContent | None:
        filed = result.certificate
        return None if filed is None else self.report.store.certificate(filed.key, filed.sha256)

    def _view(self, result: ReadingResult) -> TreeView | None:
        certificate = self._read(result)
        if certificate is None:
            return None
        match certificate.statement["kind"]:
            case "play" | "steps" if "obligations" in certificate.evidence:
                return _list_obligations(self.report, result.name, certificate)
            case "bound":
                return _list_replies(self.report, result, certificate)
            case "play" if _has_plays(certificate):
                plays = _hash_tree(certificate)
                if plays in self.homes:
                    return TreeView(result.name, "", home=self.homes[plays])
                tree = self._view_plays(result, certificate)
                if tree is not None and tree.picture:
                    self.homes[plays] = result.claim
                return tree
        return None

    def _view_plays(self, result: ReadingResult, certificate: CertificateContent) -> TreeView | None:
        """Return a picture of the plays. If there are too many positions, return a sentence in place of the picture.

        If the kernel keeps no walk, return a table of how many positions each ply has.
        """
        if _is_too_large(result):
            once = say_images("positions", result.stats)
            many = f"It has {result.stats['positions']:,} positions{once}, too many for this page"
            return TreeView(result.name, f"{many}: verifier graph {result.name} --out tree.svg draws it.")
        picture = self._recall(result, certificate)
        if picture is None:
            picture = self._make(result.name, certificate)
            self.report.store.remember(PACK, self._given(result, certificate), {"picture": picture})
        if not picture:
            return _list_plies(self.report, result, certificate)
        return TreeView(result.name, _explain(certificate), Markup(picture))  # noqa: S704 - graph/tree.py escapes

    def _make(self, name: str, certificate: CertificateContent) -> str:
        """Return a picture that another process makes; without such a process, make the picture here."""
        if name in self.begun:
            return self.begun.pop(name)()
        said = say_phases(self.report.library, *name.split("/"))
        return _draw(name, certificate, self.report.store, self._find_drawn(certificate), said)

    def _find_drawn(self, certificate: CertificateContent) -> DrawnClause | None:
        return self.drawings.get(parse_rules(certificate.statement["rules"]))

    def _given(self, result: ReadingResult, certificate: CertificateContent) -> list[Any]:
        drawn = self._find_drawn(certificate)
        said = say_phases(self.report.library, result.claim, result.id)
        filed = result.certificate and result.certificate.sha256
        return ["tree", result.name, filed, drawn and drawn.model_dump(), said]

    def _recall(self, result: ReadingResult, certificate: CertificateContent) -> str | None:
        picture = (self.report.store.recall(PACK, self._given(result, certificate)) or {}).get("picture")
        return picture if isinstance(picture, str) else None


def _list_readings(claim: ClaimResult) -> list[ReadingResult]:
    """Return the readings of a claim that can have a tree. Proved readings come first, controls last."""
    results = [result for result in claim.readings if result.certificate is not None and not result.trouble]
    return sorted(results, key=lambda result: (result.control, result.verdict is not Verdict.PROVED))


def _has_plays(certificate: CertificateContent) -> bool:
    """Say whether a certificate is about plays, and not about all positions at once or about a single play."""
    return certificate.statement["kind"] == "play" and not {"obligations", "line"} & certificate.evidence.keys()


def _is_too_large(result: ReadingResult) -> bool:
    return result.stats.get("positions", 0) > MAX_POSITIONS_DRAWN


def _hash_tree(certificate: CertificateContent) -> str:
    """Return a hash that is the same for certificates with the same plays."""
    evidence = {key: certificate.evidence.get(key) for key in ("table", "symmetries", "objective")}
    return hash_value([hash_plays(certificate.statement), certificate.verdict, evidence])


def _draw(
    name: str, certificate: CertificateContent, store: Store, drawn: DrawnClause | None, said: Mapping[str, str]
) -> str:
    """Return the picture; empty if the kernel keeps no walk, or if there are too many positions."""
    table = certificate.evidence.get("table")
    if table is not None and "wins" in unpack(store.read(table), "the table"):
        return ""  # replies after which the claimant wins at once are left out, so the kernel keeps no walk
    with contextlib.suppress(UsageError):  # too many positions
        walked = follow_walk(certificate, store.read)
        if walked is not None:
            graph, game = fold_plays(walked), walked.statement.game
            graph.graph["reading"] = name
            add_sentences(graph, said)
            return draw_folded_graph(graph, game, {} if drawn is None else {game: drawn}, is_file=False)
    return ""


def _explain(certificate: CertificateContent) -> str:
    once = " Images count once." if "symmetries" in certificate.evidence else ""
    by = "phase of the strategy" if certificate.statement.get("strategies") else "ply, or several plies"
    said = f"A box is a {by}, with one of its positions as an example. An arrow says how many moves lead to a box"
    if not certificate.statement.get("strategies"):
        return f"{said}.{once}"
    fan = "The fan of strokes in a box has a stroke for each reply in a position."
    return f"{said}, and by which rules of the strategy play goes on. {fan}{once}"


def _list_plies(report: Report, result: ReadingResult, certificate: CertificateContent) -> TreeView | None:
    """Return how many positions a table has at each ply, and what the table leaves out."""
    statement, evidence = certificate.statement, certificate.evidence
    with contextlib.suppress(CertificateError, SpecError, KeyError, AttributeError):
        game = parse_rules(statement["rules"])
        moves = unpack(report.store.read(evidence["table"]), "the table")["moves"]
        counts = Counter(game.ply(game.parse_position(text)) for text in moves)
        rows = tuple((str(ply), f"{counts[ply]:,}") for ply in sorted(counts))
        claimant = find_presentation(game).players[statement["claimant"]]
        said = (
            f"The certificate has a move of {claimant}'s for each of these positions. Replies after which {claimant} "
            "can win at once are left out. So the kernel has no list of all positions, and there is no picture."
        )
        header = "ply", f"positions in the table{say_images('positions', result.stats)}"
        return TreeView(result.name, said, header=header, rows=rows, heading="The table of moves, by ply")
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
        "it by the ply of the claim, he cannot win the real game by this ply either. The replies end in "
        f"{tried}. From there the kernel tries every move."
    )
    header = ("marks that Xavier has left", "replies in the easier game")
    return TreeView(result.name, said, header=header, rows=rows, heading="The replies that the kernel followed")


def _list_obligations(report: Report, name: str, certificate: CertificateContent) -> TreeView:
    """Return what has to be shown: each obligation, the cases for which it is listed, and the hypotheses it needs."""
    statement, evidence = certificate.statement, certificate.evidence
    parts = [part["part"] for part in statement.get("parts", [])]
    found = dict[tuple[str, str], list[str]]()
    for part, obligation, needs in evidence["obligations"]["shown"]:
        where = parts[part].replace("[", " (").replace("=", " = ").replace("]", ")") if parts else ""
        found.setdefault((obligation, ", ".join(needs) or "no hypothesis"), []).append(where)
    header = ("has to be shown", "the proof needs", *["in the case"] * bool(parts))
    rows = tuple((*key, *[", ".join(dict.fromkeys(cases))] * bool(parts)) for key, cases in found.items())
    model = next(iter(evidence.get("models", [])), None)
    board, caption = None, ""
    if model is not None:
        game = parse_rules(statement["rules"])
        position = game.parse_position(model["position"])
        title = f"A position of the case {parts[model['part']]}"
        drawn = draw_svg(game, position, title=title, is_still=True, drawings=report.library.drawings)
        board = Markup(drawn)  # noqa: S704 - svg.py escapes
        caption = "An example: a position that satisfies the hypotheses. Play need not lead to it."
    said = (
        "The argument is about all positions at once, so there is no tree. "
        "The table lists the obligations: what has to be shown, and from which hypotheses."
    )
    heading = "What was checked, step by step"
    return TreeView(name, said, header=header, rows=rows, board=board, heading=heading, caption=caption)

"""The shape of a spec file: a claim, a strategy, definitions, … One source for validation and the JSON Schema."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, TypeAdapter, model_validator

from verifier.language.clauses import RulesFile
from verifier.language.shape import Expression, Identifier, Line, Move, Place, RulesName, Sentence, Source, Strict

Player = Literal["X", "O"]
ReadingName = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$",
        max_length=121,
        description="a reading: CLAIM/READING",
    ),
]
Family = Annotated[
    dict[str, Expression], Field(description="variables, each running over a list; a later one may use those before it")
]
Definitions = Annotated[
    dict[str, Expression], Field(description="a name, or a name with parameters such as P1(f), and what it stands for")
]


class Objective(Strict):
    """One thing said of the plays: exactly one of reach, prevent, keep, some and holds."""

    reach: Expression | None = None
    by: int | None = Field(default=None, ge=0, le=1000)
    prevent: Expression | None = None
    through: int | None = Field(default=None, ge=0, le=1000)
    keep: Expression | None = None
    some: Expression | None = None
    holds: Identifier | None = Field(
        default=None, description="what this entailment of the same claim says of one position is kept, word for word"
    )
    at: str | list[str] | None = None
    for_: Family = Field(
        default_factory=dict, alias="for", description="'some' for each member: an objective for each of them"
    )

    @model_validator(mode="after")
    def _one_kind(self) -> Objective:
        given = [name for name in ("reach", "prevent", "keep", "some", "holds") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("an objective is exactly one of reach, prevent, keep, some and holds")
        wants = {"reach": "by", "prevent": "through"}.get(given[0], "at")
        extra = [name for name in ("by", "through", "at") if name != wants and getattr(self, name) is not None]
        if getattr(self, wants) is None or extra:
            raise ValueError(f"{given[0]!r} goes with {wants!r} and nothing else")
        if self.for_ and self.some is None:
            raise ValueError("'for' goes with 'some': what is kept can say all(… for …)")
        return self


class ReadingBase(Strict):
    """What every reading has."""

    expect: Literal["proved", "supported", "refuted"]
    rules: str | None = Field(default=None, description="the rules, where they are not those of the claim")
    long: int | None = Field(
        default=None,
        ge=1,
        le=99,
        description="minutes that deciding it takes the kernel: a run in which no claim is named leaves it out",
    )
    joins: list[ReadingName] = Field(
        default_factory=list, description="the readings that this one's evidence relies on: CLAIM/READING"
    )
    repairs: list[str] = Field(default_factory=list, description="the readings that this one mends")
    control: bool = Field(
        default=False, description="our own, and false: it has to be refuted, which shows that the check can fail"
    )
    in_play: str | None = Field(
        default=None, description="a proved reading that this refuted one holds in all play of some strategies"
    )
    coq: str | None = Field(
        default=None,
        pattern=r"^[a-z]\w*$",
        max_length=60,
        description="the theorem of proofs/coq that says what this reading's claim says",
    )
    because: Sentence | None = Field(default=None, description="what the repair adds or corrects, and why")
    note: Sentence | None = None

    @model_validator(mode="after")
    def _fits_expectation(self) -> ReadingBase:
        if self.in_play is not None and self.expect != "refuted":
            raise ValueError("'in_play' goes with 'expect: refuted': what is not refuted holds in play as well")
        if self.coq is not None and self.expect == "refuted":
            raise ValueError("'coq' names a proof: it goes with what is expected to hold")
        if self.control and (self.expect != "refuted" or self.repairs):
            raise ValueError("a 'control' is expected to be refuted, and repairs nothing")
        return self


class Exhaustive(ReadingBase):
    """Every play that the strategies allow, against every other reply: walked, or held together by an invariant."""

    method: Literal["exhaustive", "invariant"]
    strategies: dict[Player, str] = Field(default_factory=dict)
    claimant: Player | None = Field(
        default=None, description="whose strategy it is; needed when both have one, or none"
    )
    start: str | None = Field(default=None, description="a position; the game's start where it is left out")
    after: Line = Field(default_factory=list, description="the moves to the start, instead of the position")
    given: Expression | None = Field(
        default=None, description="plays start from each position where this holds, as it does at the start"
    )
    members: dict[str, int] = Field(
        default_factory=dict,
        description="values of variables: of the phases of strategies that have them, which members",
    )
    symmetric: Literal[True] | None = Field(
        default=None, description="the same is claimed of its images under the symmetries of the square"
    )
    objectives: dict[str, Objective] = Field(min_length=1)
    horizon: int | None = Field(default=None, ge=0, le=1000, description="the ply at which plays end")
    agrees_with: str | None = Field(
        default=None, description="a reading by another engine that may not contradict this one"
    )
    invariant: dict[Literal["X", "O", "both"], list[Expression] | dict[Sentence, Expression]] | None = Field(
        default=None,
        description="what is kept, where plays are not walked: at X's turns, at O's, at those of both",
    )

    @model_validator(mode="after")
    def _fits_method(self) -> Exhaustive:
        if (self.invariant is not None) != (self.method == "invariant"):
            raise ValueError("'invariant' goes with 'method: invariant', and with no other")
        if self.given is not None and self.method != "invariant":
            raise ValueError("'given' goes with 'method: invariant': plays from so many positions are not walked")
        if self.start is not None and self.after:
            raise ValueError("the start is given by 'start' or by 'after', not by both")
        return self


class Case(Strict):
    """A position from which a bound is claimed, and which first moves of Xavier count."""

    after: Line = Field(default_factory=list, description="the moves from the start of the game to the position")
    start: str | None = Field(default=None, description="the position itself, instead of the moves to it")
    first: list[Move] | None = Field(default=None, description="Xavier's first moves that count; all of them if absent")
    but: list[Move] | None = Field(
        default=None, description="Xavier's first moves that do not count, instead of `first`"
    )

    @model_validator(mode="after")
    def _one_of_each(self) -> Case:
        if self.start is not None and self.after:
            raise ValueError("a case has either 'after' or 'start'")
        if self.first is not None and self.but is not None:
            raise ValueError("a case has either 'first' or 'but'")
        return self


class Force(ReadingBase):
    """What a player can force: a search finds the moves, the kernel checks them."""

    method: Literal["force"]
    claimant: Player
    strategies: dict[Player, str] = Field(
        default_factory=dict, description="what the players are bound to; the claimant chooses among its moves"
    )
    start: str | None = None
    objectives: dict[str, Objective] = Field(min_length=1, max_length=1)
    pairing: list[Annotated[list[Move], Field(min_length=2, max_length=2)]] | None = Field(
        default=None,
        description="evidence: pairs of spots by which the claimant keeps the other player from every line",
    )
    weights: Literal[True] | None = Field(
        default=None, description="evidence: the other player's lines weigh too little for him to get one"
    )

    @model_validator(mode="after")
    def _fits_objective(self) -> Force:
        held = [key for key in ("pairing", "weights") if getattr(self, key) is not None]
        if held and (self.strategies or any(o.prevent is None for o in self.objectives.values())):
            raise ValueError(f"{held[0]!r} goes with 'prevent', where nobody has a strategy")
        if len(held) > 1:
            raise ValueError("either 'pairing' or 'weights' is the evidence")
        return self


class Bound(ReadingBase):
    """What Xavier cannot force: a search finds Olivia's replies, the kernel checks them."""

    method: Literal["bound"]
    no_win_by: int = Field(ge=0, le=81, description="Xavier cannot force a win by this ply, in any of the cases")
    cases: dict[str, Case] = Field(default_factory=dict, description="where from; the start of the game if absent")
    pieces: list[str] = Field(
        default_factory=list, description="claim/reading: bounds whose tables show what Olivia's opening leads to"
    )

    @model_validator(mode="after")
    def _expects_a_proof(self) -> Bound:
        if self.expect != "proved":
            raise ValueError("a bound is expected to be proved; that Xavier wins is a reading of method 'force'")
        return self


Step = Literal["none", "start", "move", "reply", "round", "reply-first"]


class Part(Strict):
    """Hypotheses, a step, and conclusions."""

    for_: Family = Field(default_factory=dict, alias="for")
    given: list[Expression] = Field(default_factory=list)
    cites: list[Expression] | None = Field(default=None, description="the hypotheses that the source names for this")
    plays: tuple[Expression, ...] | list[Expression] | None = Field(
        default=None, description="the free move of the step"
    )
    step: Step | None = Field(default=None, description="the step of this part, where it is not that of the reading")
    conclude: list[Expression] = Field(min_length=1)
    unless: Expression = False
    turn: Player | None = None


class Steps(ReadingBase):
    """What induction and entailment share."""

    for_: Family = Field(default_factory=dict, alias="for")
    given: list[Expression] = Field(default_factory=list, description="hypotheses of every part")
    parts: dict[str, Part] = Field(min_length=1)


class Induction(Steps):
    """Conclusions after a step from any position that satisfies the hypotheses."""

    method: Literal["induction"]
    step: Step = Field(default="move", description="the step of every part that names none")
    strategy: str | None = Field(default=None, description="a strategy, or one phase of it: name#phase")
    claimant: Player = "X"


class Entailment(Steps):
    """Conclusions in any position that satisfies the hypotheses, or in the starting position."""

    method: Literal["entailment"]
    at: Literal["any", "start"] = "any"


class Replay(ReadingBase):
    """A line, also that of a picture with numbered marks, is legal and ends as described."""

    method: Literal["replay"]
    start: str | None = None
    line: Line
    numbered_rows: list[list[int]] | None = Field(
        default=None,
        description="a picture that the line fits: the plies in each row of the board, left to right",
    )
    holds: list[Expression] = Field(default_factory=list, description="what is so at its end")


class Conjunction(ReadingBase):
    """A statement that says no more than the readings that it joins together."""

    method: Literal["conjunction"]

    @model_validator(mode="after")
    def _has_joins(self) -> Conjunction:
        if not self.joins:
            raise ValueError("a conjunction says which readings it 'joins', each as CLAIM/READING")
        return self


Reading = Annotated[
    Exhaustive | Force | Bound | Induction | Entailment | Replay | Conjunction,
    Field(discriminator="method"),
]


METHODS: tuple[str, ...] = tuple(
    name for kind in get_args(get_args(Reading)[0]) for name in get_args(kind.model_fields["method"].annotation)
)
"""The names of the methods, each of which is a module of ``verifier/methods``."""


def find_claimant(reading: Reading) -> Player | None:
    """Return whose claim a reading is: its claimant, or the one player of whom it has a strategy; None: nobody's."""
    own: Player | None = getattr(reading, "claimant", None)
    named: list[Player] = list(getattr(reading, "strategies", {}))
    return own or (named[0] if len(named) == 1 else None)


class Claim(Strict):
    """One claim of a document."""

    claim: Identifier
    title: Sentence
    source: Source
    rules: RulesName
    uses: list[Identifier] = Field(default_factory=list)
    includes: list[Identifier] = Field(default_factory=list, description="shared definitions, in this order")
    define: Definitions = Field(default_factory=dict)
    diagrams: dict[str, str] = Field(default_factory=dict, description="nine rows of nine .XO as printed")
    readings: dict[Identifier, Reading] = Field(min_length=1)

    def rules_of(self, reading: str) -> str:
        """Return the name of the rules under which a reading is meant."""
        return self.readings[reading].rules or self.rules


class DefinitionsFile(Strict):
    """Definitions that several files share."""

    definitions: Identifier
    title: Sentence
    source: Source
    includes: list[Identifier] = Field(default_factory=list)
    define: Definitions = Field(min_length=1)


class DocumentFile(Strict):
    """A document: what it is, for readers of reports."""

    document: Identifier
    title: Sentence
    authors: list[Sentence] = Field(default_factory=list, description="who wrote it, where that is known")
    about: Sentence = Field(description="what kind of text it is, and what it is about")
    headline: list[Identifier] = Field(
        default_factory=list, description="the claims that say what its title and its abstract promise"
    )
    sharpened_by: list[Identifier] = Field(
        default_factory=list, description="claims of the auditors' own that say more than the headline"
    )
    contents: dict[str, dict[Identifier, Sentence]] = Field(
        default_factory=dict, description="its claims in its own order, by section: the name that it gives to each"
    )
    terms: dict[str, Sentence] = Field(
        default_factory=dict, description="its words that the claims use, and what they mean"
    )
    left_out: list[Sentence] = Field(default_factory=list, description="what it says that no claim is about, and why")
    ours: bool = Field(default=False, description="it is the auditors' own, and so are all its claims")

    @property
    def includes(self) -> list[str]:
        """None: it has no expressions."""
        return []


class Assertion(Strict):
    """A sentence of a document that can be checked, and what was made of it."""

    says: Sentence = Field(description="what it asserts, restated")
    claims: list[str] = Field(default_factory=list, description="the claims, or CLAIM/READING, that it is audited by")
    none: Sentence | None = Field(default=None, description="why there is no claim of it")

    @model_validator(mode="after")
    def _has_one(self) -> Assertion:
        if bool(self.claims) == (self.none is not None):
            raise ValueError("a sentence has either 'claims' or, in 'none', the reason why there is no claim of it")
        return self


class CoverageFile(Strict):
    """Every sentence of a document that asserts something checkable, numbered through each of its parts."""

    coverage: Identifier = Field(description="the document")
    parts: dict[str, dict[str, Assertion]] = Field(
        min_length=1, description="a part of the document, such as §1: its sentences by number, 1, 2, …"
    )

    @property
    def includes(self) -> list[str]:
        """None: it has no expressions."""
        return []


Severity = Literal["wording", "slip", "gap", "hypothesis", "step", "statement"]
"""How bad a fault is, the mildest first: what is meant is clear; a slip of the pen; a gap in an argument of which the
conclusion holds; a missing hypothesis; a wrong step; a wrong statement."""


class Erratum(Strict):
    """A fault of a document, for its authors: what to write instead, and why."""

    readings: list[ReadingName] = Field(
        min_length=1, description="the refuted readings that show it, CLAIM/READING; of the first the witness is shown"
    )
    severity: Severity
    sentence: Sentence | None = Field(
        default=None, description="what is wrong, in our words, where it is not all that the claim says"
    )
    correction: Sentence | None = Field(
        default=None, description="what to write instead: what the readings that repair the first one show"
    )
    why: Sentence = Field(description="why it fails, at the position or in the play that refutes the first reading")
    headline: list[Identifier] = Field(
        default_factory=list, description="the document's headline claims whose proof, as printed, goes through this"
    )


class ErrataFile(Strict):
    """What is wrong in a document, as a letter to its authors: each refuted reading that is not a control, once."""

    errata: Identifier = Field(description="the document")
    entries: dict[Identifier, Erratum] = Field(min_length=1)

    @property
    def includes(self) -> list[str]:
        """None: it has no expressions."""
        return []


class Rule(Strict):
    """A rule of a strategy: when it applies, and the move."""

    place: Place | None = None
    says: Sentence | None = Field(default=None, description="the rule in our own words")
    for_: Family = Field(default_factory=dict, alias="for")
    when: Expression = True
    play: list[Expression] = Field(min_length=1, max_length=2)


class Phase(Strict):
    """A phase of a strategy; its rules are tried in order."""

    place: Place | None = None
    for_: Family = Field(default_factory=dict, alias="for")
    when: Expression = True
    rules: dict[Identifier, Rule] = Field(min_length=1)


class StrategyFile(Strict):
    """A strategy as ordered rules."""

    strategy: Identifier
    title: Sentence
    source: Source
    rules: RulesName
    player: Player
    old: Literal["start"] | None = Field(
        default=None, description="'old' speaks of where a play started: for readings that say where, with 'given'"
    )
    includes: list[Identifier] = Field(default_factory=list)
    define: Definitions = Field(default_factory=dict)
    phases: dict[Identifier, Phase] = Field(min_length=1)


Model = Claim | DefinitionsFile | StrategyFile | DocumentFile | CoverageFile | ErrataFile | RulesFile

KINDS: dict[str, type[Model]] = {
    "claim": Claim,
    "definitions": DefinitionsFile,
    "strategy": StrategyFile,
    "document": DocumentFile,
    "coverage": CoverageFile,
    "errata": ErrataFile,
    "rules": RulesFile,
}
"""What a file may hold, by its first key. Claims and strategies name rules as well: only a file of no other kind is one
of rules."""


def find_kind(value: Mapping[str, Any]) -> tuple[str, str]:
    """Return the kind and the id of what a file holds, as far as it can be read; no id otherwise."""
    kind = next((kind for kind in KINDS if kind in value), "claim")
    return kind, str(value.get(kind, ""))


@functools.cache
def known_keys() -> tuple[str, ...]:
    """Return every key that some part of a spec may have."""
    schema = build_plain_schema()
    parts = [*schema["$defs"].values()]
    return tuple(sorted({key for part in parts for key in part.get("properties", {})}))


def find_owners(key: str) -> tuple[str, ...]:
    """Return the parts of specs that may have a key: methods of readings, and other parts by what they are."""
    found = []
    for name, part in build_plain_schema()["$defs"].items():
        if key in part.get("properties", {}):
            method = part["properties"].get("method", {})
            methods = method.get("enum", [method["const"]] if "const" in method else [])
            found += [f"method {one}" for one in methods] or [name.removesuffix("File").lower()]
    return tuple(dict.fromkeys(found))


def build_plain_schema() -> dict[str, Any]:
    """Return the JSON Schema of a spec file in which everything is written out."""
    schema: dict[str, Any] = TypeAdapter(Model).json_schema()
    return schema

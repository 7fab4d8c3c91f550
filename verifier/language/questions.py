"""The shape of a reading: the questions that it may ask, a model each."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Discriminator, Field, Tag, WrapValidator, model_validator

from verifier.language.shape import AboutReading, Expression, Line, Move, ReadingName, Sentence, Strict, keep_scope

Player = Literal["X", "O"]
Start = Annotated[
    str | list[Move],
    Field(description="a position, or the list of the moves to it; if left out, the start of the game"),
]
StrategyName = Annotated[
    str,
    WrapValidator(keep_scope),
    Field(
        description="a strategy, or one phase of it: name#phase; variables of the phase take values that are in scope"
    ),
]
Family = Annotated[
    dict[str, Expression], Field(description="variables, each running over a list; a later one may use those before it")
]
Definitions = Annotated[
    dict[str, Expression], Field(description="a name, or a name with parameters such as P1(f), and what it stands for")
]


OBJECTIVES = ("reach", "prevent", "keep", "some")
"""What an objective may ask."""


class Objective(Strict):
    """One thing said of the plays: exactly one of reach, prevent, keep and some."""

    reach: Expression | None = None
    by: int | None = Field(
        default=None,
        ge=0,
        le=1000,
        description="a limit of the claim; 'prevent' without it: to the end of every play",
    )
    exactly: int | None = Field(
        default=None, ge=1, le=1000, description="of what somebody can reach: by this ply, and not sooner"
    )
    prevent: Expression | None = None
    keep: Expression | None = None
    some: Expression | None = None
    at: str | list[str] | None = None
    for_: Family = Field(default_factory=dict, alias="for", description="with 'some': one objective for each member")

    @property
    def scopes(self) -> list[str]:
        """Where it is kept, or holds once."""
        return [self.at] if isinstance(self.at, str) else self.at or []

    @model_validator(mode="after")
    def _one_kind(self) -> Objective:
        given = [name for name in OBJECTIVES if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("an objective is exactly one of reach, prevent, keep and some")
        if self.exactly is not None:  # elsewhere it is written out before it comes here
            where = "in a 'can' that is 'proved' or 'refuted' and joins nothing"
            raise ValueError(f"'exactly' replaces the 'by' of a 'reach', {where}")
        wants, other = ("by", "at") if given[0] in ("reach", "prevent") else ("at", "by")
        is_missing = getattr(self, wants) is None and self.prevent is None
        if is_missing or getattr(self, other) is not None:
            needs = "" if self.prevent is not None else f"needs {wants!r}, and "
            raise ValueError(f"{given[0]!r} {needs}cannot have {other!r}")
        if self.for_ and self.some is None:
            raise ValueError("'for' goes only with 'some'; with 'keep' write all(… for …)")
        return self


class ReadingBase(AboutReading):
    """What every reading has, whatever it asks."""

    question: ClassVar[str]
    rules: str | None = Field(default=None, description="the rules, if they are not those of the claim")


class Plays(ReadingBase):
    """What holds in all plays that the strategies allow; or, where an objective says 'some', in one of them.

    They are walked through, unless an invariant says what every move keeps.
    """

    question = "plays"
    plays: Literal["all"]
    strategies: dict[Player, StrategyName] = Field(default_factory=dict)
    player: Player | None = Field(
        default=None, description="whose claim it is; needed if both have a strategy, or neither"
    )
    start: Start | None = None
    given: Expression | None = Field(
        default=None, description="plays start from every position where this holds; it has to hold at the start"
    )
    symmetric: Literal[True] | None = Field(
        default=None, description="the same is claimed of all images under the symmetries of the square"
    )
    objectives: dict[str, Objective] = Field(min_length=1)
    horizon: int | None = Field(default=None, ge=0, le=1000, description="the ply at which plays end")
    invariant: dict[Literal["X", "O", "both"], list[Expression] | dict[Sentence, Expression]] | None = Field(
        default=None,
        description="what every move keeps, so that plays are not walked: at X's turns, at O's turns, at both",
    )

    @model_validator(mode="after")
    def _fits_evidence(self) -> Plays:
        if self.given is not None and self.invariant is None:
            raise ValueError("'given' needs an 'invariant': plays from so many positions are not walked")
        return self


class Can(ReadingBase):
    """What a player can force: a search finds the moves, the kernel follows them against every reply."""

    question = "can"
    can: Player = Field(description="who chooses: among the moves of his strategy if he has one, else among all")
    strategies: dict[Player, StrategyName] = Field(
        default_factory=dict, description="the strategies that players have to follow"
    )
    start: Start | None = None
    objectives: dict[str, Objective] = Field(min_length=1, max_length=1)
    pairing: list[Annotated[list[Move], Field(min_length=2, max_length=2)]] | None = Field(
        default=None, description="evidence: pairs of spots by which the player keeps the other from every line"
    )

    @model_validator(mode="after")
    def _fits_objective(self) -> Can:
        if self.pairing and (self.strategies or any(o.prevent is None for o in self.objectives.values())):
            raise ValueError("'pairing' needs 'prevent', and no strategies")
        return self


class Case(Strict):
    """A position from which a bound is claimed."""

    start: Start | None = None
    but: list[Move] | None = Field(default=None, description="first moves of Xavier that are left out")


class Bound(ReadingBase):
    """A ply by which Xavier cannot force a win: a search finds Olivia's replies, the kernel follows them."""

    question = "bound"
    bound: int = Field(ge=0, le=81, description="Xavier cannot force a win by this ply, in any of the cases")
    cases: dict[str, Case] = Field(
        default_factory=dict, description="the starting positions; without any, the start of the game"
    )

    @model_validator(mode="after")
    def _expects_a_proof(self) -> Bound:
        if self.expect != "proved":
            raise ValueError("a bound needs 'expect: proved'; to ask whether Xavier wins, use 'can: X'")
        return self


Step = Literal["none", "start", "move", "reply", "round"]


class Part(Strict):
    """Hypotheses, a step, and conclusions."""

    for_: Family = Field(default_factory=dict, alias="for")
    given: list[Expression] = Field(default_factory=list)
    cites: list[Expression] | None = Field(default=None, description="the hypotheses that the source names for this")
    play: list[Expression] | None = Field(default=None, description="the free move of the step")
    step: Step | None = Field(default=None, description="the step of this entry, if it is not that of the reading")
    conclude: list[Expression] = Field(min_length=1)
    turn: Player | None = None


class Steps(ReadingBase):
    """What a step shows, from any position that satisfies hypotheses; without a step, what follows in the position."""

    question = "steps"
    for_: Family = Field(default_factory=dict, alias="for")
    given: list[Expression] = Field(default_factory=list, description="hypotheses of every entry")
    steps: dict[str, Part] = Field(min_length=1)
    step: Step = Field(default="none", description="the step of every entry that names none")
    strategies: dict[Player, StrategyName] = Field(
        default_factory=dict,
        max_length=1,
        description="the strategy that replies, by its player; or one phase of it: name#phase",
    )

    @property
    def strategy(self) -> str | None:
        """The strategy that replies, if there is one."""
        return next(iter(self.strategies.values()), None)

    @property
    def claimant(self) -> Player:
        """Whose strategy it is."""
        return next(iter(self.strategies), "X")

    def step_of(self, part: Part) -> Step:
        """Return the step of an entry; ``none``: what it concludes holds in the position itself."""
        return part.step or self.step


class LineReading(ReadingBase):
    """A line, also that of a picture with numbered marks, is legal and ends as described."""

    question = "line"
    start: Start | None = None
    line: Line
    numbered_rows: list[list[int]] | None = Field(
        default=None,
        description="a picture that the line fits: the plies in each row of the board, left to right",
    )
    conclude: list[Expression] = Field(default_factory=list, description="what holds at its end")


class Count(ReadingBase):
    """How many members of a family have a legal line that ends as described: the kernel plays and counts."""

    question = "count"
    count: int = Field(ge=0, description="exactly this many")
    for_: Family = Field(alias="for", min_length=1)
    start: Start | None = None
    line: Line = Field(description="the line of a member: {k} in a move is the value of a variable")
    conclude: list[Expression] = Field(
        default_factory=list, description="what holds at its end; if left out, every legal line counts"
    )


SumWord = Annotated[str, Field(pattern=r"^(1|[a-z]{1,12})$", description="a product of letters; 1: the empty product")]


class Boards(Strict):
    """What is said of any number of boards side by side."""

    last: Literal["loses", "wins"] = Field(description="the player who makes the very last move loses, or wins")
    count: int | None = Field(default=None, ge=1, le=100, description="how many elements the quotient has")
    relations: (
        list[Annotated[str, Field(pattern=r"^ *(1|[a-z]{1,12}) *= *(1|[a-z]{1,12}) *$", description="bbb = b")]] | None
    ) = Field(default=None, description="its letters generate it, and all that holds of them follows from these")
    won: list[SumWord] | None = Field(
        default=None, description="the types of the sums that the player who moved last wins: these, and no others"
    )
    types: dict[str, SumWord] = Field(default_factory=dict, description="the types of positions of one board")
    copies: dict[str, Annotated[list[Literal["next", "previous"]], Field(min_length=1, max_length=100)]] = Field(
        default_factory=dict,
        description="who wins 1, 2, … boards in a position, repeated: next is the player to move, previous the other",
    )

    @model_validator(mode="after")
    def _says_something(self) -> Boards:
        if self.count is None and self.relations is None and self.won is None and not self.types | self.copies:
            raise ValueError("a sum says at least one of count, relations, won, types and copies")
        return self


class Sum(ReadingBase):
    """Who wins any number of boards side by side: a search finds an algebra, the kernel checks it."""

    question = "sum"
    sum: Boards


class Joins(ReadingBase):
    """A statement that says no more than the readings that it joins together."""

    question = "joins"
    joins: list[ReadingName] = Field(min_length=1, description="the readings that it is made of: CLAIM/READING")


QUESTIONS: dict[str, type[ReadingBase]] = {
    model.question: model for model in (Plays, Can, Steps, Bound, Count, LineReading, Sum, Joins)
}
"""What a reading may ask, by the key that says so: the first one that it has. The last one asks nothing of its own.

Each is a module of ``verifier/methods``.
"""


def find_question(value: object) -> str | None:
    """Return the key that says what a reading asks; None: it has none."""
    keys = value if isinstance(value, dict) else {}
    return next((name for name in QUESTIONS if name in keys), None)


Reading = Annotated[
    Annotated[Plays, Tag("plays")]
    | Annotated[Can, Tag("can")]
    | Annotated[Steps, Tag("steps")]
    | Annotated[Bound, Tag("bound")]
    | Annotated[Count, Tag("count")]
    | Annotated[LineReading, Tag("line")]
    | Annotated[Sum, Tag("sum")]
    | Annotated[Joins, Tag("joins")],
    Discriminator(find_question),
]


def find_form(reading: Reading) -> str:
    """Return the form of a reading's evidence, empty if it has none. Two readings of one form may share evidence."""
    if isinstance(reading, Steps) or (isinstance(reading, Plays) and reading.invariant is not None):
        return "obligations"
    return {"bound": "replies", "sum": "algebra", "joins": ""}.get(reading.question, "plays")


def find_claimant(reading: Reading) -> Player | None:
    """Return the player whose claim a reading is: the one that it names, or the only one with a strategy; or None."""
    own: Player | None = reading.can if isinstance(reading, Can) else getattr(reading, "player", None)
    named: list[Player] = list(getattr(reading, "strategies", {}))
    return own or (named[0] if len(named) == 1 else None)

"""All specs below a folder, read at once: files, references between them, and everything that is wrong."""

from __future__ import annotations

import difflib
import functools
import keyword
import pathlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from verifier.kernel.errors import SpecError
from verifier.spec.clauses import RulesFile
from verifier.spec.coverage import find_gaps
from verifier.spec.language import Grounder
from verifier.spec.loader import Document, Path, load_document
from verifier.spec.model import (
    KINDS,
    Claim,
    CoverageFile,
    DefinitionsFile,
    DocumentFile,
    Entailment,
    Exhaustive,
    Model,
    Reading,
    StrategyFile,
    Tables,
    known_keys,
)
from verifier.spec.names import Definition, Formula, Names
from verifier.spec.nodes import Nodes
from verifier.spec.problem import Problem, SpecProblemsError
from verifier.spec.rulebook import Rulebook
from verifier.spec.shape import Source
from verifier.spec.shipped import find_shipped
from verifier.spec.syntax import ExpressionError, parse_definition_head, parse_expression


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed file: its model, and the document that knows the places."""

    model: Model
    document: Document


@dataclass(frozen=True, slots=True)
class Made:
    """What was made of the specs of a library, once for all who need it.

    Attributes:
        nodes: every formula.
        names: by rules and by the files in the order in which their definitions are read, what these define, and what
            is wrong with the last file.
        strategies: ground strategies, and what is wrong with them; ``spec.strategy`` fills it.
    """

    nodes: Nodes = field(default_factory=Nodes)
    names: dict[tuple[str, ...], tuple[Names, list[Problem]]] = field(default_factory=dict)
    strategies: dict[Any, tuple[dict[str, Any], list[Problem]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Library:
    """Specs by kind and id."""

    claims: dict[str, Spec]
    strategies: dict[str, Spec]
    definitions: dict[str, Spec]
    documents: dict[str, Spec] = field(default_factory=dict)
    rules: Rulebook = field(default_factory=Rulebook)
    coverage: dict[str, Spec] = field(default_factory=dict)
    made: Made = field(default_factory=Made, compare=False, repr=False)

    def claim(self, name: str) -> Claim:
        """Return a claim's model."""
        model = self.claims[name].model
        if not isinstance(model, Claim):
            raise SpecError(f"{name!r} is no claim")
        return model

    def strategy(self, name: str) -> StrategyFile:
        """Return a strategy's model."""
        model = self.strategies[name].model
        if not isinstance(model, StrategyFile):
            raise SpecError(f"{name!r} is no strategy")
        return model

    def document(self, name: str) -> DocumentFile | None:
        """Return what is known of a document; None where the specs describe none of that name."""
        model = self.documents[name].model if name in self.documents else None
        return model if isinstance(model, DocumentFile) else None

    def is_ours(self, source: Source) -> bool:
        """Say whether something is the auditors' own, and not of the document that its source names."""
        document = self.document(source.document)
        return source.ours or (document is not None and document.ours)


def load_library(folder: pathlib.Path) -> Library:
    """Read every ``*.yaml`` below a folder.

    Raises:
        SpecProblemsError: everything that is wrong, with file, line and column.
    """
    paths = sorted(folder.rglob("*.yaml"))
    problems: list[Problem] = []
    if not paths:
        raise SpecProblemsError([Problem(str(folder), 1, 1, "no *.yaml below this folder")])
    library = Library({}, {}, {})
    homes: dict[str, dict[str, Spec]] = {
        "claim": library.claims,
        "strategy": library.strategies,
        "definitions": library.definitions,
        "document": library.documents,
        "rules": library.rules.own,
        "coverage": library.coverage,
    }
    for path in paths:
        document = load_document(path, path.relative_to(folder).as_posix())
        problems += document.problems
        if document.problems:
            continue
        spec, found = parse_spec(document)
        problems += found
        if spec is None:
            continue
        kind = next(kind for kind in KINDS if kind in document.value)
        name = getattr(spec.model, kind)
        if name in homes[kind]:
            first = homes[kind][name].document.file
            problems.append(document.problem((kind,), f"the {kind} {name!r} stands in {first} already"))
        homes[kind].setdefault(name, spec)
    if problems:
        raise SpecProblemsError(problems)
    if any(name not in library.rules.own for spec in _all_specs(library) for name in named_rules(spec.model)):
        shipped = find_shipped("specs")
        if shipped is not None and shipped != folder.resolve():
            library.rules.borrowed.update(_load_shipped_rules(shipped))
    problems += check_references(library)
    if problems:
        raise SpecProblemsError(problems)
    return library


def _all_specs(library: Library) -> list[Spec]:
    homes = (library.rules.own, library.definitions, library.strategies, library.claims)
    return [spec for home in homes for spec in home.values()]


def named_rules(model: Model) -> list[str]:
    """Return the rules that a file names: its own game's, those that its own are like, those that a reading tries."""
    if isinstance(model, RulesFile):
        return [] if model.like is None else [model.like]
    if isinstance(model, StrategyFile):
        return [model.rules]
    if isinstance(model, Claim):
        tried = [name for reading in model.readings.values() if isinstance(reading, Tables) for name in reading.among]
        own = [reading.rules for reading in model.readings.values() if reading.rules is not None]
        return [model.rules, *own, *tried]
    return []


@functools.cache
def _load_shipped_rules(shipped: pathlib.Path) -> dict[str, Spec]:
    """Return the rules files that came with the package, so that a folder of one's own may name them."""
    found: dict[str, Spec] = {}
    for path in sorted(shipped.rglob("rules/*.yaml")):
        document = load_document(path, path.relative_to(shipped).as_posix())
        spec = parse_spec(document)[0] if not document.problems else None
        if spec is not None and isinstance(spec.model, RulesFile):
            found[spec.model.rules] = spec
    return found


def parse_spec(document: Document) -> tuple[Spec | None, list[Problem]]:
    """Validate one document against the model of its kind."""
    value = document.value
    kinds = [kind for kind in KINDS if isinstance(value, dict) and kind in value]
    if not isinstance(value, dict) or not kinds:
        return None, [document.problem((), f"a spec starts with {', '.join(f'{kind}:' for kind in KINDS)} and its id")]
    if len(kinds) > 1 and kinds[-1] == "rules":
        kinds.pop()  # the rules that a claim or a strategy is about
    if len(kinds) > 1:
        return None, [document.problem((kinds[1],), f"a file holds one {kinds[0]}, not also a {kinds[1]}")]
    try:
        return Spec(KINDS[kinds[0]].model_validate(value), document), []
    except ValidationError as error:
        return None, [_model_problem(document, item) for item in error.errors(include_url=False)]


def _model_problem(document: Document, item: Any) -> Problem:
    path: list[str | int] = []
    value: Any = document.value
    missing = ""
    for key in item["loc"]:
        if (isinstance(value, dict) and key in value) or (
            isinstance(value, list) and isinstance(key, int) and key < len(value)
        ):
            value = value[key]
            path.append(key)
        else:
            missing = str(key)
    kind, message = item["type"], item["msg"]
    where = ".".join(str(key) for key in path) or "the file"
    if kind == "missing":
        message = f"{missing!r} is missing from {where}"
    elif kind == "extra_forbidden":
        is_known = path[-1] in known_keys()
        close = [] if is_known else difflib.get_close_matches(str(path[-1]), known_keys(), 1, 0.7)
        hint = f": did you mean {close[0]!r}?" if close else ""
        return document.key_problem(tuple(path), f"{path[-1]!r} is no key here{hint}")
    elif kind == "union_tag_invalid":
        message = (
            f"the method {value.get('method')!r} is none of {item['ctx']['expected_tags']}"
            if isinstance(value, dict)
            else message
        )
    elif kind == "union_tag_not_found":
        message = f"'method' is missing from {where}"
    elif kind == "too_short":
        message = f"{where} is empty"
    elif kind == "too_long":
        message = f"{where} has more than {item['ctx']['max_length']} items"
    else:
        message = f"{where}: {message.removeprefix('Value error, ')}, not {str(item['input'])[:60]!r}"
    return document.problem(tuple(path), message)


def check_references(library: Library) -> list[Problem]:
    """Return what is wrong between files: unknown ids, circles, repairs of no reading."""
    problems: list[Problem] = []

    def known(spec: Spec, path: Path, names: Iterable[str], home: dict[str, Spec], kind: str) -> None:
        for index, name in enumerate(names):
            if name not in home:
                problems.append(spec.document.problem((*path, index), f"no {kind} {name!r} in these specs"))

    for spec in _all_specs(library):
        known(spec, ("includes",), spec.model.includes, library.definitions, "definitions")
        problems += _unknown_document(library, spec)
        if isinstance(spec.model, Claim | StrategyFile):
            problems += _unknown_rules(library, spec, ("rules",), spec.model.rules)
        elif isinstance(spec.model, RulesFile):
            problems += library.rules.compile(spec.model.rules)[1]
    for spec in library.claims.values():
        if not isinstance(spec.model, Claim):
            continue
        known(spec, ("uses",), spec.model.uses, library.claims, "claim")
        for name, reading in spec.model.readings.items():
            path = ("readings", name)
            for index, joined in enumerate(reading.joins):
                problems += _unknown_reading(library, spec, (*path, "joins", index), joined)
            named = [(("repairs", i), other) for i, other in enumerate(reading.repairs)]
            agrees = getattr(reading, "agrees_with", None)
            for key, other in [*named, *([(("agrees_with",), agrees)] if agrees else [])]:
                if other not in spec.model.readings or other == name:
                    problems.append(spec.document.problem((*path, *key), f"no other reading {other!r} in this claim"))
            if reading.repairs and reading.because is None:
                problems.append(spec.document.problem(path, f"the repair {name!r} does not say 'because'"))
            if reading.rules is not None:
                problems += _unknown_rules(library, spec, (*path, "rules"), reading.rules)
            problems += _odd_control(spec, name, reading)
            problems += _odd_play(spec, name, reading)
        if all(reading.repairs or reading.control for reading in spec.model.readings.values()):
            text = "no reading is the claim as stated: all are repairs or controls"
            problems.append(spec.document.problem(("readings",), text))
    problems += _circles(library)
    problems += _coverage_problems(library)
    return problems


def _coverage_problems(library: Library) -> Iterator[Problem]:
    """Yield what is wrong with the lists of documents' sentences."""
    for spec in library.coverage.values():
        if not isinstance(spec.model, CoverageFile):
            continue
        name = spec.model.coverage
        if name not in library.documents:
            yield spec.document.problem(("coverage",), f"no document {name!r} in these specs")
        claims = {claim: library.claim(claim) for claim in library.claims}
        own = [
            claim
            for claim, model in claims.items()
            if model.source.document == name and not library.is_ours(model.source)
        ]
        yield from find_gaps(spec.document, spec.model, claims, own)


def _unknown_document(library: Library, spec: Spec) -> list[Problem]:
    """Where some documents are described, every source names one of them."""
    if isinstance(spec.model, DocumentFile | CoverageFile) or not library.documents:
        return []
    name = spec.model.source.document
    if name in library.documents:
        return []
    close = difflib.get_close_matches(name, library.documents, 1)
    hint = f": did you mean {close[0]!r}?" if close else "; a file that starts with document: describes one"
    return [spec.document.problem(("source", "document"), f"no document {name!r} in these specs{hint}")]


def _unknown_rules(library: Library, spec: Spec, path: Path, rules: str) -> list[Problem]:
    try:
        library.rules.compile(rules)
    except SpecError as error:
        return [spec.document.problem(path, str(error))]
    return []


def _unknown_reading(library: Library, spec: Spec, path: Path, name: str) -> list[Problem]:
    """Say what is wrong with a reading that another one joins."""
    claim, _, reading = name.partition("/")
    if claim not in library.claims:
        return [spec.document.problem(path, f"no claim {claim!r} in these specs")]
    known = library.claim(claim).readings
    if reading not in known:
        return [spec.document.problem(path, f"the claim {claim!r} has no reading {reading!r}: {', '.join(known)}")]
    if known[reading].control:
        return [spec.document.problem(path, f"{name!r} is a control: it is false, and nothing rests on it")]
    if spec is library.claims[claim]:
        return [
            spec.document.problem(path, f"{name!r} is a reading of the same claim: readings are told apart, not joined")
        ]
    return []


def _odd_control(spec: Spec, name: str, reading: Reading) -> list[Problem]:
    """Say why a reading may not be a control."""
    if not reading.control or not isinstance(spec.model, Claim):
        return []
    others = [other for other in spec.model.readings.values() if other is not reading]
    faults = {
        "the reading 'as-stated' is the claim's own, and no control": name == "as-stated",
        "a control is not the only reading": not others,
        f"the control {name!r} is repaired: it has to stay refuted": any(name in other.repairs for other in others),
    }
    path: Path = ("readings", name, "control")
    return [spec.document.problem(path, fault) for fault, is_so in faults.items() if is_so]


def _odd_play(spec: Spec, name: str, reading: Reading) -> list[Problem]:
    """Say why a reading does not show that another one holds in all play: the statement has to be the same."""
    faults: list[Problem] = []
    readings = spec.model.readings if isinstance(spec.model, Claim) else {}
    if reading.in_play is not None:
        other = readings.get(reading.in_play)
        is_whole = isinstance(other, Exhaustive) and other.start is None and other.horizon is None
        objectives = other.objectives.values() if isinstance(other, Exhaustive) and is_whole else ()
        if (
            other is None
            or other.expect != "proved"
            or not any(o.holds == name and o.at == "every" for o in objectives)
        ):
            text = f"an exhaustive reading of whole games, with expect: proved and {{holds: {name}, at: every}}"
            faults.append(spec.document.problem(("readings", name, "in_play"), f"{reading.in_play!r} is not {text}"))
    for key, objective in reading.objectives.items() if isinstance(reading, Exhaustive) else ():
        if objective.holds is not None and not isinstance(readings.get(objective.holds), Entailment):
            path: Path = ("readings", name, "objectives", key, "holds")
            faults.append(spec.document.problem(path, f"no entailment {objective.holds!r} in this claim"))
    return faults


def joined_claims(claim: Claim) -> list[str]:
    """Return the claims whose readings a claim's own readings join."""
    named = [name.partition("/")[0] for reading in claim.readings.values() for name in reading.joins]
    return [name for name in dict.fromkeys(named) if name != claim.claim]


def needed_claims(claim: Claim) -> list[str]:
    """Return the claims to read before a claim: those that it uses and those that its readings join."""
    return list(dict.fromkeys([*claim.uses, *joined_claims(claim)]))


def _circles(library: Library) -> list[Problem]:
    edges = {name: needed_claims(spec.model) for name, spec in library.claims.items() if isinstance(spec.model, Claim)}
    includes = {
        f"definitions {name}": [f"definitions {other}" for other in spec.model.includes]
        for name, spec in library.definitions.items()
        if isinstance(spec.model, DefinitionsFile)
    }
    problems = []
    for graph, home in ((edges, library.claims), (includes, library.definitions)):
        done: set[str] = set()
        for root in sorted(graph):
            trail: list[str] = []
            stack = [(root, iter(graph[root]))] if root not in done else []
            trail.extend(name for name, _ in stack)
            while stack:
                name, rest = stack[-1]
                following = next(rest, None)
                if following is None:
                    done.add(name)
                    stack.pop()
                    trail.pop()
                elif following in trail:
                    circle = " → ".join([*trail[trail.index(following) :], following])
                    spec = home[root.removeprefix("definitions ")]
                    problems.append(spec.document.problem(("uses",), f"a circle: {circle}"))
                elif following not in done and following in graph:
                    stack.append((following, iter(graph[following])))
                    trail.append(following)
    return problems


def define_names(library: Library, rules: str, specs: Sequence[Spec]) -> tuple[Names, list[Problem]]:
    """Return what the definitions of some files mean, one file after the other, and what is wrong with the files.

    Files that begin alike share their names, and with them whatever was found to be meant by these.
    """
    key = (rules, *(spec.document.file for spec in specs))
    if key not in library.made.names:
        problems: list[Problem] = []
        if specs:
            names, problems = define_names(library, rules, specs[:-1])
            names, problems = names.extend(), [*problems]
            problems += _define(names, specs[-1])
        else:
            names = Names(library.rules.game(rules), library.made.nodes)
        library.made.names[key] = names, problems
    return library.made.names[key]


def _define(names: Names, spec: Spec) -> Iterator[Problem]:
    for head, body in getattr(spec.model, "define", {}).items():
        try:
            name, parameters = parse_definition_head(head)
            names.define(Definition(name, parameters, parse_expression(str(body))))
        except ExpressionError as error:
            yield spec.document.text_problem(("define", head), error.line, error.offset, str(error))


def included_specs(library: Library, included: Iterable[str]) -> list[Spec]:
    """Return files of definitions and all that they include, each once and after those that it includes."""
    found: dict[str, Spec] = {}
    met: set[str] = set()

    def include(name: str) -> None:
        if name in met:
            return
        met.add(name)
        spec = library.definitions[name]
        for other in spec.model.includes:
            include(other)
        found[name] = spec

    for name in included:
        include(name)
    return list(found.values())


class Scope:
    """The definitions that a file sees, and the problems met while its expressions are grounded."""

    def __init__(self, library: Library, spec: Spec, rules: str, included: Iterable[str]) -> None:
        self.document = spec.document
        names, problems = define_names(library, rules, [*included_specs(library, included), spec])
        self.names = names.extend()
        self.problems = [*problems]
        self.grounder = Grounder(self.names)

    def define_formula(self, path: Path, name: str, formula: Formula) -> None:
        """Add a named formula, such as a diagram."""
        try:
            self.names.define_formula(name, formula)
        except ExpressionError as error:
            self.problems.append(self.document.problem(path, str(error)))

    def formula(self, path: Path, text: str | int | bool, env: dict[str, int], *, is_after_step: bool = False) -> Any:
        """Ground an expression that is true or false; on a problem, note it and return ``True``."""
        try:
            return self.grounder.formula(parse_expression(str(text)), env, is_after_step=is_after_step)
        except ExpressionError as error:
            return self._note(path, error, True)

    def integer(self, path: Path, text: str | int | bool, env: dict[str, int]) -> int:
        """Ground an integer; on a problem, note it and return 0."""
        try:
            return self.grounder.integer(parse_expression(str(text)), env)
        except ExpressionError as error:
            return int(self._note(path, error, 0))

    def integers(self, path: Path, text: str | int | bool, env: dict[str, int]) -> list[int]:
        """Ground a list of integers; on a problem, note it and return an empty one."""
        try:
            return self.grounder.integers(parse_expression(str(text)), env)
        except ExpressionError as error:
            noted: list[int] = self._note(path, error, [])
            return noted

    def families(self, path: Path, family: dict[str, str | int | bool], env: dict[str, int]) -> list[dict[str, int]]:
        """Return the members of a family: assignments of its variables, added to ``env``."""
        members = [env]
        for name, text in family.items():
            grown = []
            for member in members:
                try:
                    is_taken = name in member or self.names.is_reserved(name) or keyword.iskeyword(name)
                    if is_taken or not name.isidentifier():
                        raise ExpressionError(f"the variable {name!r} has a meaning already, or is no name")
                    values = self.grounder.integers(parse_expression(str(text)), member)
                    if len(set(values)) != len(values):
                        raise ExpressionError(f"the family of {name!r} names a member twice")
                except ExpressionError as error:
                    self._note((*path, name), error, None)
                    return []
                grown += [{**member, name: value} for value in values]
            members = grown
        return members

    def _note(self, path: Path, error: ExpressionError, value: Any) -> Any:
        self.problems.append(self.document.text_problem(path, error.line, error.offset, str(error)))
        return value

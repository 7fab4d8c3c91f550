"""All specs below a folder, read at once: files, references between them, and everything that is wrong."""

from __future__ import annotations

import functools
import keyword
import pathlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from verifier.files import read_start
from verifier.kernel.errors import SpecError
from verifier.language.about import DocumentFile, ErrataFile, Erratum, Severity
from verifier.language.borrowed import find_borrowed
from verifier.language.clauses import RulesFile
from verifier.language.collection import collection_paused
from verifier.language.expressions import Grounder
from verifier.language.faults import list_faults
from verifier.language.likeness import liken_files
from verifier.language.loader import MAX_BYTES, Document, Path, load_document
from verifier.language.model import KINDS, Claim, Model, StrategyFile, find_kind
from verifier.language.names import RELATIVE, Definition, Formula, Names
from verifier.language.nodes import Nodes
from verifier.language.problem import Problem, SpecProblemsError
from verifier.language.references import check_references
from verifier.language.rulebook import Rulebook
from verifier.language.shape import Source
from verifier.language.shipped import find_shipped
from verifier.language.syntax import ExpressionError, parse_definition_head, parse_expression
from verifier.language.templates import write_out

_RELATIVE = re.compile(rf"\b({'|'.join(RELATIVE)})\b")
_HEAD_LINES = 10
"""In so many lines a file that is not YAML is looked through for what it is about."""

MAX_FAMILY = 20_000
"""How many members a family may have, of all its variables together."""


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
        strategies: ground strategies, and what is wrong with them; ``language.strategy`` fills it.
    """

    nodes: Nodes = field(default_factory=Nodes)
    names: dict[tuple[str, ...], tuple[Names, list[Problem]]] = field(default_factory=dict)
    strategies: dict[Any, tuple[dict[str, Any], list[Problem]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Library:
    """Specs by kind and id.

    Attributes:
        lost: the kind and the id of each that is left out, and the file whose fault that comes of.
    """

    claims: dict[str, Spec]
    strategies: dict[str, Spec]
    definitions: dict[str, Spec]
    documents: dict[str, Spec] = field(default_factory=dict)
    rules: Rulebook = field(default_factory=Rulebook)
    coverage: dict[str, Spec] = field(default_factory=dict)
    errata: dict[str, Spec] = field(default_factory=dict)
    lost: dict[tuple[str, str], str] = field(default_factory=dict)
    made: Made = field(default_factory=Made, compare=False, repr=False)

    def claim(self, name: str) -> Claim:
        """Return a claim's model."""
        model = self.claims[name].model
        if not isinstance(model, Claim):
            raise SpecError(f"{name!r} is not a claim")
        return model

    def strategy(self, name: str) -> StrategyFile:
        """Return a strategy's model."""
        model = self.strategies[name].model
        if not isinstance(model, StrategyFile):
            raise SpecError(f"{name!r} is not a strategy")
        return model

    def document(self, name: str) -> DocumentFile | None:
        """Return what is known of a document; None where the specs describe none of that name."""
        model = self.documents[name].model if name in self.documents else None
        return model if isinstance(model, DocumentFile) else None

    def errata_of(self, document: str) -> dict[str, Erratum]:
        """Return the entries of a document's errata, by name, as they stand in the file."""
        model = self.errata[document].model if document in self.errata else None
        return model.entries if isinstance(model, ErrataFile) else {}

    def severities_of(self, claim: str) -> dict[str, Severity]:
        """Return how bad the faults are that the readings of a claim show, by the reading's id."""
        entries = self.errata_of(self.claim(claim).source.document).values()
        named = [(name.partition("/"), entry.severity) for entry in entries for name in entry.readings]
        return {reading: severity for (owner, _, reading), severity in named if owner == claim}

    def home(self, kind: str) -> dict[str, Spec]:
        """Return the specs of a kind, as ``KINDS`` names it, by id."""
        homes = {"strategy": self.strategies, "definitions": self.definitions, "document": self.documents}
        homes |= {"claim": self.claims, "rules": self.rules.own, "coverage": self.coverage}
        homes["errata"] = self.errata
        return homes[kind]

    @property
    def with_includes(self) -> list[Spec]:
        """The files that may include definitions: rules, definitions, strategies and claims."""
        homes = (self.rules.own, self.definitions, self.strategies, self.claims)
        return [spec for home in homes for spec in home.values()]

    def is_ours(self, source: Source) -> bool:
        """Say whether something is the auditors' own, and not of the document that its source names."""
        document = self.document(source.document)
        return source.ours or (document is not None and document.ours)


def load_library(folder: pathlib.Path) -> Library:
    """Read every ``*.yaml`` below a folder, in all of which nothing may be wrong.

    Raises:
        SpecProblemsError: everything that is wrong with files and references, with file, line and column.
    """
    library, problems = read_library(folder)
    if problems:
        raise SpecProblemsError(problems)
    return library


@collection_paused()
def read_library(folder: pathlib.Path) -> tuple[Library, list[Problem]]:
    """Read every ``*.yaml`` below a folder; a file with a fault, and what needs it, is left out.

    Returns:
        What is sound, and everything that is wrong with the rest. That something needs what is left out is not a fault.

    Raises:
        SpecProblemsError: there is no such file.
    """
    paths = sorted(folder.rglob("*.yaml"))
    if not paths:
        raise SpecProblemsError([Problem(str(folder), 1, 1, "no *.yaml below this folder")])
    library = Library({}, {}, {})
    problems = list(_misnamed(folder))
    lost = library.lost
    read = ((path, load_document(path, path.relative_to(folder).as_posix())) for path in paths)
    documents = [(path, whole) for path, found in read for whole in write_out(found)]
    shipped = find_shipped("specs")
    shipped = None if shipped == folder.resolve() else shipped
    if shipped is not None:
        names = {_name_of(document, path) for path, document in documents}
        borrowed = find_borrowed([document for _, document in documents], shipped, names)
        documents += [(shipped / document.file, document) for document in borrowed]
    liken_files(document for _, document in documents)
    for path, document in documents:
        spec, found = parse_spec(document) if document.is_whole and document.value is not None else (None, [])
        known = {(problem.line, problem.column) for problem in document.problems}
        found = [*document.problems, *(problem for problem in found if (problem.line, problem.column) not in known)]
        kind, name = _name_of(document, path)
        home = library.home(kind)
        if spec is not None and not found and name in home:
            first = home[name].document.file
            found = [document.problem((kind,), f"the {kind} {name!r} stands in {first} already")]
        elif spec is not None and not found:
            home[name] = spec
        elif name:
            lost[kind, name] = document.file
        problems += found
    named = {name for spec in library.with_includes for name in named_rules(spec.model)}
    if shipped is not None and named - library.rules.own.keys():
        ready = _load_shipped_rules(shipped).items()
        library.rules.borrowed.update({name: spec for name, spec in ready if ("rules", name) not in lost})
    while True:
        found = check_references(library)
        own = [problem for problem in found if problem.missing not in lost]
        problems += [problem for problem in own if problem not in problems]
        # Claims stand without their document, and documents without some of their claims.
        needed = {item for item in lost if item[0] != "document"}
        without = {problem.file: lost[problem.missing] for problem in found if problem.missing in needed}
        dropped = _drop(library, {problem.file: problem.file for problem in own}, KINDS)
        needy = _drop(library, without, [kind for kind in KINDS if kind not in ("document", "coverage", "errata")])
        if not dropped and not needy:
            return library, sorted({problem for problem in problems if problem.missing not in lost})
        lost.update(dropped | needy)


def _misnamed(folder: pathlib.Path) -> Iterator[Problem]:
    """Yield files that are specs, and that nobody would read: their claims would be missed without a word."""
    for path in sorted(folder.rglob("*.[yY]*")):
        if path.suffix != ".yaml" and path.suffix.lower() in (".yml", ".yaml") and path.is_file():
            name = path.relative_to(folder).as_posix()
            if _name_of(Document(name), path)[1]:
                yield Problem(name, 1, 1, "is not read: the name of a spec file ends in .yaml")


def _name_of(document: Document, path: pathlib.Path) -> tuple[str, str]:
    """Return the kind and the id of a file, as far as it can be read; no id otherwise."""
    value = document.value
    if isinstance(value, dict):
        return find_kind(value)
    try:
        lines = read_start(path, MAX_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return "claim", ""
    heads = (line.partition(":") for line in lines[:_HEAD_LINES])
    kind, name = next(((kind, name) for kind, _, name in heads if kind in KINDS), ("claim", ""))
    return kind, name.partition(" #")[0].strip(" '\"")


def _drop(library: Library, files: Mapping[str, str], kinds: Iterable[str]) -> dict[tuple[str, str], str]:
    """Leave out what of some kinds stands in some files; return the kind and the id of each, with the file's value."""
    found = {
        (kind, name): files[spec.document.file]
        for kind in kinds
        for name, spec in library.home(kind).items()
        if spec.document.file in files
    }
    for kind, name in found:
        del library.home(kind)[name]
        if kind == "rules":
            library.rules.borrowed.pop(name, None)  # a shipped file of that name says something else
    if found:
        library.rules.made.clear()
    return found


def named_rules(model: Model) -> list[str]:
    """Return the rules that a file names: its own game's, those that its own are like, those of a reading."""
    if isinstance(model, RulesFile):
        return [] if model.like is None else [model.like]
    if isinstance(model, StrategyFile):
        return [model.rules]
    if isinstance(model, Claim):
        own = [reading.rules for reading in model.readings.values() if reading.rules is not None]
        return [model.rules, *own]
    return []


@functools.cache
def _load_shipped_rules(shipped: pathlib.Path) -> dict[str, Spec]:
    """Return the rules files that came with the package, so that a folder of one's own may name them."""
    found: dict[str, Spec] = {}
    for path in sorted(shipped.rglob("rules/*.yaml")):
        for document in write_out(load_document(path, path.relative_to(shipped).as_posix())):
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
        return None, [*list_faults(document, error)]


def define_names(
    library: Library, rules: str, specs: Sequence[Spec], player: str | None = None
) -> tuple[Names, list[Problem]]:
    """Return what the definitions of some files mean, one file after the other, and what is wrong with the files.

    Files that begin alike share their names, and with them whatever was found to be meant by these; only what has words
    relative to a player is not the same for both.
    """
    player = player if any(map(_is_relative, specs)) else None
    key = (rules, player or "", *(" ".join(find_kind(spec.document.value)) for spec in specs))
    if key not in library.made.names:
        problems: list[Problem] = []
        if specs:
            names, problems = define_names(library, rules, specs[:-1], player)
            names, problems = names.extend(player), [*problems]
            problems += _define(names, specs[-1])
        else:
            names = Names(library.rules.game(rules), library.made.nodes)
        library.made.names[key] = names, problems
    return library.made.names[key]


def _is_relative(spec: Spec) -> bool:
    """Say whether the definitions of a file have words relative to a player."""
    return any(_RELATIVE.search(str(body)) for body in getattr(spec.model, "define", {}).values())


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

    def __init__(
        self, library: Library, spec: Spec, rules: str, included: Iterable[str], player: str | None = None
    ) -> None:
        self.document = spec.document
        names, problems = define_names(library, rules, [*included_specs(library, included), spec], player)
        self.names = names.extend(player)
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
            grown: list[dict[str, int]] = []
            for member in members:
                try:
                    is_taken = name in member or self.names.is_reserved(name) or keyword.iskeyword(name)
                    if is_taken or not name.isidentifier():
                        raise ExpressionError(f"the variable {name!r} has a meaning already, or is not a name")
                    values = self.grounder.integers(parse_expression(str(text)), member)
                    if len(set(values)) != len(values):
                        raise ExpressionError(f"the family of {name!r} names a member twice")
                    if len(grown) + len(values) > MAX_FAMILY:
                        raise ExpressionError(f"a family has at most {MAX_FAMILY} members")
                except ExpressionError as error:
                    self._note((*path, name), error, None)
                    return []
                grown += [{**member, name: value} for value in values]
            members = grown
        return members

    def _note(self, path: Path, error: ExpressionError, value: Any) -> Any:
        problem = self.document.text_problem(path, error.line, error.offset, str(error))
        # An expression is grounded for each member of a family: what fails at one place for several is one fault.
        if all((problem.line, problem.column) != (other.line, other.column) for other in self.problems):
            self.problems.append(problem)
        return value

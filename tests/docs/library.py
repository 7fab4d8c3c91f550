"""Writes the page about the library from the docstrings: ``python -m tests.docs.library``."""

import enum
import inspect
import re
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import TypeAdapter

import verifier
from tests.docs.pages import DOCS
from verifier.questions.result import LedgerValue

PAGE = DOCS / "library.md"
START = """\
# The library

For anyone who wants claims, verdicts and positions in Python or in a notebook. [An example notebook](notebook.ipynb)
explores the graph of a certificate, and makes a game. The command line uses the same functions. This page is made from
the docstrings, and the tests run every example on it.

Specs are read from files (`load`), or made in Python (`rules`, `claim`, `strategy`): the keys, the checks and the
messages are the same. `Rules.start()` returns a `Board`: a position with `moves`, `play` and `value`.

Importing `verifier` loads nothing: a name is loaded when it is first used. Values are immutable: if you change a spec
file after `load`, call `load` again. A notebook draws boards, plays and witnesses. The package is typed; for graphs,
a type checker also needs `types-networkx`.

A missing name raises a `KeyError`. Every other deliberate error is a subclass of `VerifierError`. A `SpecError` says
what is wrong with a spec and where: file, line and column, or the path of the key if it was made of Python values. The
others are `UsageError`, `CertificateError`, `IllegalMoveError` and `NotationError`.

"""
SECTION = re.compile(r"(Args|Attributes|Raises|Returns):\n")


def write_page() -> str:
    """Return the page."""
    names = [name for name in verifier.__all__ if not _is_error(getattr(verifier, name))]
    return START + "\n".join(_describe(name) for name in names)


def _is_error(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Exception)


def _describe(name: str) -> str:
    value = getattr(verifier, name)
    parts = [f"## {name}\n", _lay_out(value)]
    if isinstance(value, type) and issubclass(value, enum.Enum):
        parts.append("".join(_describe_value(member) for member in value))
    elif isinstance(value, type):
        parts.append("".join(_describe_property(*item) for item in (*_fields(value), *_members(value, property))))
        parts += [_describe_method(name, *item) for item in _members(value, types.FunctionType)]
    else:
        parts.insert(1, _signature(f"verifier.{name}", value))
    return "\n".join(parts)


def _members(value: type, kind: type) -> Iterator[tuple[str, Any]]:
    for name, member in vars(value).items():
        if not name.startswith("_") and isinstance(member, kind):
            yield name, member


def _fields(value: type) -> Iterator[tuple[str, property]]:
    """Yield the fields of a value of the ledger, as its JSON Schema describes them. Counted fields come last."""
    if issubclass(value, LedgerValue):
        adapter = TypeAdapter(value)
        read, written = adapter.json_schema(mode="validation"), adapter.json_schema(mode="serialization")
        for name, field in (read["properties"] | written["properties"]).items():
            yield name, property(doc=field.get("description", ""))


def _describe_value(member: enum.Enum) -> str:
    return f"- `{member.name}`: {member.value}\n" if isinstance(member.value, str) else f"- `{member.name}`\n"


def _describe_property(name: str, member: property) -> str:
    text = inspect.cleandoc(member.__doc__ or "").replace("``", "`")
    words, _, raised = text.partition("\n\nRaises:\n")
    return f"- `.{name}`: {' '.join(words.split())}" + f" Raises {' '.join(raised.split())}" * bool(raised) + "\n"


def _describe_method(owner: str, name: str, member: Any) -> str:
    return f"### {owner}.{name}\n\n{_signature(f'{owner.lower()}.{name}', member)}\n{_lay_out(member)}"


def _signature(name: str, function: Callable[..., Any]) -> str:
    signature = inspect.signature(function)
    own = [item for item in signature.parameters.values() if item.name != "self"]
    short = [item.replace(default="…") if inspect.isroutine(item.default) else item for item in own]
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(signature.replace(parameters=short)))
    return textwrap.dedent(f"""\
        ```python
        {name}{text}
        ```
        """)


def _lay_out(value: Any) -> str:
    """Return a docstring as Markdown."""
    text = inspect.cleandoc(value.__doc__ or "").replace("``", "`")
    paragraphs = []
    for part in re.split(r"\n\n+", text):
        if part.startswith(">>>"):
            paragraphs.append(f"```python\n{part}\n```")
        elif SECTION.match(part):
            paragraphs += _lay_out_section(part)
        else:
            paragraphs.append(part)
    return "".join(f"{part}\n\n" for part in paragraphs)[:-1]


def _lay_out_section(text: str) -> Iterator[str]:
    title, _, body = text.partition(":\n")
    body = textwrap.dedent(body)
    if title == "Returns":
        yield f"Returns: {' '.join(body.split())}"
        return
    items = re.split(r"\n(?=\S)", body)
    yield f"{title}:"
    yield "\n".join("- `{}`: {}".format(*re.split(r":\s+", " ".join(item.split()), maxsplit=1)) for item in items)


if __name__ == "__main__":
    PAGE.write_text(write_page(), encoding="utf-8")

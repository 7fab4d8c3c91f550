"""Words that no Coq source may have, because they let a false proof pass.

This may not find every trick. So ``build`` also compares what ``Print Assumptions`` says about each theorem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

REFUSED = (
    (r"Admitted|admit|give_up|Abort", "leaves a proof unfinished"),
    (r"Axioms?|Conjectures?|Parameters?", "states what nobody proves"),
    (r"native_compute|native_cast_no_check", "has ocamlopt believed"),
    (r"bypass_check|(?:Guard|Positivity|Universe)\s+Checking|type_in_type", "turns a check of the kernel off"),
    (r"Declare\s+ML\s+Module|Primitive|Load|Cd|Redirect|Extraction|Drop", "reaches outside the sources"),
)
"""Words that no source may have outside its comments, and the reasons."""

ASSUMED = re.compile(
    r"(?:#\[[^\]]*\]\s*)*(?:(?:Local|Global|Polymorphic|Cumulative)\s+)*(?:Variables?|Hypothes[ei]s|Context)\b"
)
"""The sentences that are assumptions inside a section, and axioms outside."""

NO_SENTENCE = re.compile(r'\(\*|\*\)|"(?:[^"]|"")*"')


def blank_comments(text: str) -> str:
    """Return the text with blanks for comments and strings. Line ends stay. Coq's comments nest."""
    kept, depth, end = [], 0, 0
    for token in NO_SENTENCE.finditer(text):
        between = text[end : token.start()]
        kept.append(between if depth == 0 else _blank(between))
        kept.append(_blank(token.group()))
        depth = max(0, depth + {"(*": 1, "*)": -1}.get(token.group(), 0))
        end = token.end()
    kept.append(text[end:] if depth == 0 else _blank(text[end:]))
    return "".join(kept)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def find_refused(name: str, text: str) -> Iterator[str]:
    """Yield each part of a source that is refused, with its line and the reason."""
    text = blank_comments(text)
    for pattern, reason in REFUSED:
        for match in re.finditer(rf"(?<![\w'])(?:{pattern})(?![\w'])", text):
            yield f"{name}:{_line(text, match.start())}: {match.group()!r} {reason}"
    depth = 0
    for match in re.finditer(r"(?:^|(?<=\.\s))\s*([^.]+(?:\.(?!\s|$)[^.]*)*)\.(?=\s|$)", text):
        sentence = match.group(1)
        if re.match(r"Section\b", sentence):
            depth += 1
        elif re.match(r"End\b", sentence):
            depth -= 1
        elif depth <= 0 and ASSUMED.match(sentence):
            yield f"{name}:{_line(text, match.start(1))}: {sentence.split()[0]!r} outside a section is an axiom"


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1

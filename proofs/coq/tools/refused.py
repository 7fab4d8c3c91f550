"""What no Coq source may hold: words that let a proof pass without being one.

It is not believed that this finds every trick; ``Print Assumptions`` of each theorem is compared besides (``build``).
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
"""Words that no source may hold outside its comments, and why."""

ASSUMED = re.compile(
    r"(?:#\[[^\]]*\]\s*)*(?:(?:Local|Global|Polymorphic|Cumulative)\s+)*(?:Variables?|Hypothes[ei]s|Context)\b"
)
"""The sentences that are assumptions of a section, and axioms anywhere else."""

NO_SENTENCE = re.compile(r'\(\*|\*\)|"(?:[^"]|"")*"')


def blank_comments(text: str) -> str:
    """Return the text with comments and strings blanked, line ends kept; Coq's comments nest."""
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
    """Yield what a source holds that a proof must not, each with its line."""
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

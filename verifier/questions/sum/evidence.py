"""Search for the *quotient*: an algebra that says who wins on any number of boards. The kernel checks it.

``kernel/sum.py`` explains what a quotient and its elements are.
"""

from __future__ import annotations

from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.sum import decide_sum, parse_sum
from verifier.kernel.verdict import Verdict
from verifier.questions.finding import Finding, Task
from verifier.search.quotient import find_quotient, give_letters, read_boards
from verifier.search.walk import NodeLimitError


def search(task: Task) -> Finding:
    """Find the quotient, and an element of it for each letter in the reading's products.

    If the quotient contradicts ``count`` or ``copies``, it refutes the reading. Otherwise, if no choice of elements for
    the letters makes the reading true, the verdict is *unknown*.
    """
    data = task.statement
    game = parse_sum(data)
    try:
        boards = read_boards(game, last_loses=data["last"] == "loses")
        quotient = find_quotient(boards)
    except NodeLimitError as error:
        return Finding(Verdict.UNKNOWN, str(error))
    types = {game.format_position(position): quotient.types[number] for position, number in boards.numbers.items()}
    letters = give_letters(quotient, data, types)
    evidence: dict[str, Any] = {"product": quotient.product, "won": quotient.won, "types": types}
    try:
        refuted = decide_sum(data, False, {**evidence, "letters": {}})
        return Finding(Verdict.REFUTED, refuted.reason, {**evidence, "letters": {}})
    except CertificateError:
        if letters is None:
            return Finding(Verdict.UNKNOWN, "no elements of the quotient fit 'types', 'relations' and 'won'")
    return Finding(Verdict.PROVED, "", {**evidence, "letters": letters})

"""Every shipped reading compiles to the statement that it had: the list has its hash, and the verdict that is expected.

A hash that changes is a statement that says something else, or says it otherwise: the change of the file names it.
"""

from tests.golden import require_golden
from tests.rules import specs
from verifier.questions.compile import compile_reading


def test_every_shipped_reading_states_what_the_list_says() -> None:
    library, lines = specs(), []
    for claim in sorted(library.claims):
        for name, reading in library.claim(claim).readings.items():
            key = compile_reading(library, claim, name).key or "joins others"
            lines.append(f"{claim}/{name} {reading.expect} {key}\n")
    require_golden("readings.txt", "".join(lines))

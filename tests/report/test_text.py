"""What ``check`` prints at its end, about documents with a headline and about others."""

import functools
import re

from tests.golden import require_golden
from tests.report.ledgers import conclude_as_expected
from tests.rules import specs
from verifier.audit.ledger import ClaimResult, Ledger, Standing
from verifier.audit.needs import order_claims
from verifier.audit.outlining import make_outline
from verifier.kernel.words import counted
from verifier.report.errata.collect import collect_errata
from verifier.report.errata.counting import say_corrections
from verifier.report.layout import Layout
from verifier.report.text import ClaimLines, document_lines


@functools.cache
def ledger_as_expected() -> Ledger:
    """Return a ledger of all shipped claims, in which each reading is as its spec expects."""
    results: dict[str, ClaimResult] = {}
    for name in order_claims(specs(), list(specs().claims)):
        results[name] = conclude_as_expected(name, results)
    return Ledger(tuple(results.values()))


def test_a_document_with_a_headline_lists_its_main_claims() -> None:
    """They are below its counts, in full. Documents whose claims are all proved as stated share a line."""
    require_golden("headlines.txt", "\n".join(document_lines(ledger_as_expected(), specs(), Layout())) + "\n")


def test_errata_are_counted_as_in_the_letters() -> None:
    """The outline of the specs is enough to count them. Remarks, which need no change, are not counted."""
    ledger, outline = ledger_as_expected(), make_outline(specs())
    letters = [errata for errata in collect_errata(ledger, specs()) if specs().errata_of(errata.document)]
    assert sum(len(errata.entries) for errata in letters) > 20
    for errata in letters:
        said = say_corrections(ledger, outline, errata.document)
        if counts := errata.counts():
            head, _, told = said[0].partition(": ")
            assert told == ", ".join(f"{number} {name}" for number, name in counts)
            assert head.startswith(counted(sum(number for number, _ in counts), "correction") + " to the text")
        else:
            assert not any("correction to" in text for text in said)


def test_every_claim_after_repair_is_accounted_for() -> None:
    """It needs a correction of the text, or is false only if taken literally, or rests on a claim that is repaired."""
    ledger, outline = ledger_as_expected(), make_outline(specs())
    for document in {claim.source.document for claim in ledger.claims if specs().errata_of(claim.source.document)}:
        mine = [claim for claim in ledger.claims if claim.source.document == document and not claim.source.ours]
        open_ones = [claim for claim in mine if claim.standing not in (Standing.PROVED, Standing.SUPPORTED)]
        said = "\n".join(say_corrections(ledger, outline, document))
        numbers = re.findall(r"(\d+) (?:more )?of its claims|(\d+) corrections? to the text:", said)
        assert sum(int(one or other) for one, other in numbers) == len(open_ones), document


def test_main_claims_right_above_are_not_repeated() -> None:
    """If a run has only the main claims, they are printed above. Only the totals and the errata follow."""
    names = ["second-never-loses", "first-never-loses"]
    ledger = Ledger(tuple(claim for claim in ledger_as_expected().claims if claim.id in names))
    totals, errata = document_lines(ledger, specs(), Layout(200))
    assert totals == "newell-simon: 2 claims: 1 proved as stated, 1 proved after repair"
    assert errata == "    1 correction to the text: 1 point of wording"


def test_the_title_of_a_main_claim_is_not_cut() -> None:
    """It is complete, below the name if there is no room beside it.

    The title of another claim has one line, but is complete as well on a narrow terminal.
    """
    (claim,) = [claim for claim in ledger_as_expected().claims if claim.id == "abstract-first-two-moves"]
    for width in (40, 60, 80, 100):
        lines = ClaimLines(specs(), [claim.id], Layout(width)).take(claim)
        assert all(len(line) <= width for line in lines)
        assert " ".join(" ".join(lines).split()) == f"proved {claim.id} {claim.title}"
    (other,) = [claim for claim in ledger_as_expected().claims if claim.id == "lemma-3-proof"]
    (line,) = ClaimLines(specs(), [other.id], Layout()).take(other)
    assert line.endswith(" …")
    lines = ClaimLines(specs(), [other.id], Layout(60)).take(other)
    assert " ".join(" ".join(lines).split()) == f"proved {other.id} {other.title}"

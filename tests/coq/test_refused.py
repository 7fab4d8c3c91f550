"""Sources that prove nothing are refused before anything is compiled."""

import pytest

from proofs.coq.tools.data import format_join, format_piece
from proofs.coq.tools.refused import find_refused
from tests.coq.conftest import SOURCES

REFUSED = {
    "Lemma l : False. Admitted.": "unfinished",
    "Lemma l : False. admit. Qed.": "unfinished",
    "Axiom a : False.": "states what nobody proves",
    "Module M. Parameter a : False. End M.": "states what nobody proves",
    "#[local] Conjecture a : False.": "states what nobody proves",
    "Variable a : False.": "outside a section",
    "Section S. Variable a : nat. End S. Hypothesis b : False.": "outside a section",
    "Section S. End S. #[local] Variables a b : False.": "outside a section",
    "Context (a : False).": "outside a section",
    "Lemma l : f 1 = 2. Proof. native_compute. reflexivity. Qed.": "ocamlopt",
    "#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.": "turns a check",
    "Unset Guard\n  Checking.": "turns a check",
    "Unset Universe Checking.": "turns a check",
    'Declare ML Module "x".': "reaches outside",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_source_without_a_real_proof_is_refused(text: str) -> None:
    """It leaves a proof open, assumes something or turns a check off. The message gives the line and the reason."""
    (line,) = find_refused("A.v", "(* one *)\nDefinition a := 1.\n" + text)
    assert line.startswith("A.v:3: ")
    assert REFUSED[text] in line


ALLOWED = (
    "(* No Axiom, nothing is Admitted. (* native_compute *) Parameter *) Definition a := 1.",
    "Section S. Variable a : nat. Section T. Hypothesis b : a = 1. End T. Context (c : nat). End S.",
    "Definition Axiomatic := 1. Definition admit' := Loaded.",
    'Definition a := "Admitted. (*". Definition b := "Axiom".',
)


@pytest.mark.parametrize("text", ALLOWED)
def test_comments_and_sections_are_allowed(text: str) -> None:
    """Comments may say anything, and a section may assume."""
    assert list(find_refused("A.v", text)) == []


def test_an_axiom_after_a_string_with_a_comment_in_it_is_refused() -> None:
    """A string that looks like the beginning of a comment hides nothing."""
    assert len(list(find_refused("A.v", 'Definition a := "(*". Axiom b : False. Definition c := "*)".'))) == 1


def test_the_committed_sources_are_not_refused() -> None:
    """No source of ours has any of it."""
    sources = sorted(SOURCES.glob("*.v"))
    assert sources
    assert [line for path in sources for line in find_refused(path.name, path.read_text())] == []


def test_the_data_are_not_refused() -> None:
    """The exporter's files pass the same test as sources."""
    for text in (format_piece(20, [((4, 4),)], [[(4, 0)]]), format_join()):
        assert list(find_refused("Leaves.v", text)) == []

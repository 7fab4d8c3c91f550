"""A change of the language changes no statement unseen: each has the key under which its evidence is filed."""

from tests.lines import PROOFS
from tests.rules import specs
from verifier.kernel.store import read_index
from verifier.language.compile import compile_library


def test_every_reading_states_what_its_evidence_is_filed_under() -> None:
    """No statement differs from it, no reading is without one that joins no others, and no evidence is of none."""
    compiled = compile_library(specs())[0].items()
    keys = {f"{claim}/{name}": stated.key for (claim, name), stated in compiled if stated.statement is not None}
    assert keys == read_index(PROOFS).filed

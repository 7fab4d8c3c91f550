"""The reference of the claim language: two pages in ``specs`` that are short, explain every key, and are right."""

import pathlib
import re

import pytest
import yaml

import verifier
from tests.docs.pages import BLOCK
from tests.language.test_keys import keys_of
from tests.rules import SPECS
from verifier.api.schema import build_schema
from verifier.language.model import FILE_KINDS

PAGES = [SPECS / "README.md", SPECS / "MORE.md"]
TEXTS = [page.read_text(encoding="utf-8") for page in PAGES]
EXAMPLES = [block["text"] for text in TEXTS for block in BLOCK.finditer(text)]
MAX_WORDS, MAX_WORDS_TOGETHER = 2_000, 3_600


@pytest.mark.parametrize("text", TEXTS, ids=[page.stem for page in PAGES])
def test_a_page_of_the_reference_is_short(text: str) -> None:
    """Its examples count too, because a page should be read from top to bottom."""
    assert len(text.split()) <= MAX_WORDS
    assert sum(len(page.split()) for page in TEXTS) <= MAX_WORDS_TOGETHER


def test_the_reference_explains_every_key() -> None:
    """Each key that a spec may have is on one of the pages, in an example or in backquotes."""
    code = [*EXAMPLES, *(part for text in TEXTS for part in re.findall(r"`([^`]+)`", BLOCK.sub("", text)))]
    assert set(keys_of(build_schema())) <= {word for part in code for word in re.findall(r"\w+", part)}


def write_examples(folder: pathlib.Path) -> None:
    """Write each example as a file. If it is not a whole file, make its readings those of a claim about tic-tac-toe."""
    for number, example in enumerate(EXAMPLES):
        text = example
        if set(FILE_KINDS).isdisjoint(yaml.safe_load(example)):
            source = {"document": "my-paper", "place": "here", "says": "An example.", "ours": True}
            head = {"claim": f"example-{number}", "title": "An example", "source": source, "rules": "tictactoe"}
            text = f"{yaml.safe_dump(head)}readings:\n{re.sub('^', '  ', example, flags=re.MULTILINE)}"
        (folder / f"{number}.yaml").write_text(text, encoding="utf-8")


def test_the_examples_of_the_reference_are_valid(tmp_path: pathlib.Path) -> None:
    """Together they are specs without a fault. All kinds of files are among them, except shared definitions."""
    write_examples(tmp_path)
    assert verifier.load(tmp_path, cache=False).problems == ()
    assert {next(iter(yaml.safe_load(text))) for text in EXAMPLES} >= set(FILE_KINDS) - {"definitions"}


@pytest.mark.slow
def test_the_examples_of_the_reference_have_their_verdicts(tmp_path: pathlib.Path) -> None:
    """Each reading has the verdict that it expects."""
    write_examples(tmp_path)
    ledger = verifier.load(tmp_path, cache=False).check()
    assert [claim.id for claim in ledger.claims if not claim.is_expected] == []
    assert (ledger.exit_code, len(ledger.readings)) == (0, 15)

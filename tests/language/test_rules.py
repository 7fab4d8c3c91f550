"""Rules files: clauses, files that are like others, the source of names, and the example of the reference."""

import itertools
import pathlib

import pytest

from tests.golden import require_golden
from tests.rules import in_a_row, load_library, rules_data, specs
from verifier.audit.sources import Sources, find_dependents
from verifier.kernel.errors import SpecError
from verifier.language.library import Library
from verifier.presentation.registry import find_presentation
from verifier.questions.compile import compile_reading

SOURCE = "source: {document: none, place: the source, says: Some rules.}\n"
SMALL = (
    f"rules: small\ntitle: A small game\n{SOURCE}family: positional\nboard: {{rows: 2, columns: 3, place: §1}}\n"
    "lines: {in_a_row: 2, along: [rows]}\noutcomes: {a line: {when: X_line or O_line, result: draw}}\n"
)


def load(folder: pathlib.Path, *files: str) -> Library:
    for number, text in enumerate(files):
        (folder / f"{number}.yaml").write_text(text, encoding="utf-8")
    return load_library(folder)


@pytest.mark.parametrize(("rows", "columns", "length"), [(3, 3, 3), (4, 4, 3), (2, 5, 2), (1, 6, 4), (5, 3, 3)])
def test_lines_are_those_that_a_search_through_all_sets_finds(rows: int, columns: int, length: int) -> None:
    """Neighbours in a row have equal distances of one step in a row, a column or a diagonal."""
    found = []
    for spots in itertools.combinations(range(rows * columns), length):
        places = [divmod(spot, columns) for spot in spots]
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(places)}
        if len(steps) == 1 and steps <= {(0, 1), (1, 0), (1, 1), (1, -1)}:
            found.append([list(spots), []])
    assert in_a_row(length, rows, columns) == found


def test_a_list_of_sets_means_the_same_as_the_formula(tmp_path: pathlib.Path) -> None:
    listed = SMALL.replace("{in_a_row: 2, along: [rows]}", "{sets: [[1, 0], [2, 1], [4, 3], [5, 4]]}")
    other = SMALL.replace("small", "other").replace("{in_a_row: 2, along: [rows]}", '{sets: [["1,2"]]}')
    library = load(
        tmp_path, SMALL.replace("small", "first"), listed, other.replace("columns: 3", "columns: 3, moves: rows")
    )
    assert library.game("small").data == library.game("first").data
    assert library.game("other").data["lines"] == [[[1], []]]


def test_a_file_takes_missing_clauses_from_the_rules_that_it_is_like(tmp_path: pathlib.Path) -> None:
    """These clauses keep their places. The file's own clauses have their own places."""
    more = f"rules: more\ntitle: More\n{SOURCE.replace('the source', 'elsewhere')}like: small\nlines: {{in_a_row: 3}}\n"
    library = load(tmp_path, SMALL, more)
    game = library.game("more")
    small = specs().game("tictactoe").data
    assert (game.data["rows"], game.data["columns"]) == (2, 3)
    assert game.data["lines"] == [[[0, 1, 2], []], [[3, 4, 5], []]]
    assert game.data["family"] == small["family"]
    said = {
        clause.text.split()[0]: clause.place for clause in find_presentation(game).say_rules(library.rules_file("more"))
    }
    assert (said["6"], said["A"], said["After"]) == ("§1", "elsewhere", "the source")


WHEN = (
    "X_line and ply >= 3",
    "O_line or ply == 1 and not X_line",
    "(X_line or O_line) and ply >= 5",
    "not (X_turn or O_line)",
    "X_line and ply < 3",
    "ply != 0",
)


def test_outcomes_are_described_in_words_or_as_written(tmp_path: pathlib.Path) -> None:
    told = []
    for when in WHEN:
        library = load(tmp_path, SMALL.replace("X_line or O_line", f'"{when}"'))
        clauses = find_presentation(library.game("small")).say_rules(library.rules_file("small"))
        told += [when, *(f"    {clause.text}" for clause in clauses if "After" in clause.text)]
    require_golden("clauses.txt", "\n".join(told) + "\n")


CLAIM = f"claim: c\ntitle: A claim\n{SOURCE}rules: RULES\nreadings:\n  r: {{expect: proved, line: ['0']}}\n"


def test_own_rules_go_before_shipped_ones(tmp_path: pathlib.Path) -> None:
    """A folder may name shipped rules that it does not have. Rules that it has are used first."""
    library = load(tmp_path, CLAIM.replace("RULES", "tictactoe"))
    assert library.game("tictactoe").data == rules_data("tictactoe")
    library = load(tmp_path, CLAIM.replace("RULES", "tictactoe"), SMALL.replace("small", "tictactoe"))
    assert library.game("tictactoe").data["rows"] == 2


def test_an_unknown_rule_set_is_refused_with_a_hint() -> None:
    with pytest.raises(SpecError, match="a file that starts with 'rules:' defines rules"):
        specs().game("chess")


def test_changed_rules_select_the_claims_about_them() -> None:
    """Also the claims that use them for one reading, and the claims about rules that are like them."""
    library = specs()
    found = find_dependents(library, "paper/rules/tictactoe.yaml")
    assert found is not None
    assert {"classic-draw", "misere-opposite-spots"} <= set(found)
    assert "lemma-3" not in found
    assert find_dependents(library, "threesome/rules/threesome4x4-lines.yaml") == ["threesome-other-rules"]


def test_a_changed_clause_of_rules_compiles_the_reading_again(tmp_path: pathlib.Path) -> None:
    """So does a changed clause of the rules that they are like. A title does not."""
    more = f"rules: more\ntitle: More\n{SOURCE}like: small\n"
    claim = CLAIM.replace("RULES", "more")

    def sources(small: str) -> dict[str, str]:
        return Sources(load(tmp_path, small, more, claim)).texts_of(("c", "r"))

    before = sources(SMALL)
    assert sources(SMALL.replace("A small game", "Another title").replace("§1", "§2")) == before
    assert sources(SMALL.replace("in_a_row: 2", "in_a_row: 3")) != before


OWN = f"claim: sent\ntitle: A claim\n{SOURCE}rules: paper\nreadings:\n  as-stated: {{expect: proved, line: ['0.0']}}\n"


def test_a_reading_is_compiled_under_its_own_rules(tmp_path: pathlib.Path) -> None:
    """A reading without rules of its own has those of the claim."""
    closed = "  closed: {rules: closed-any-spot, expect: proved, line: ['0.0']}\n"
    library = load(tmp_path, OWN + closed)
    found = [(compile_reading(library, "sent", name).statement or {})["rules"] for name in ("as-stated", "closed")]
    assert found == [rules_data("paper"), rules_data("closed-any-spot")]

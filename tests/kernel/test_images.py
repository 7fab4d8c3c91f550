"""Images of positions: parts of a statement that are images of others, and claims about all images of plays."""

import copy
import itertools
import random
from typing import Any

import pytest

from tests.images import image_of, relabel_position
from tests.kernel.asking import judge, reason_of
from tests.kernel.test_obligations import GAMES, names_without, random_formula, random_position, without_old
from tests.rules import find_rules, specs
from tests.statements import part, play, rule, steps_of, strategy
from tests.unfold import unfold
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError
from verifier.kernel.games.lines import Permutation
from verifier.kernel.games.nested import ANY, LINES, NestedGame
from verifier.kernel.obligations import derive
from verifier.kernel.relabel import SYMMETRIES, Relabelling, check_images
from verifier.questions.compile import compile_reading
from verifier.questions.steps.evidence import find_images

IDENTITY = tuple(range(9))
PAPER = find_rules("paper")
SAID = Relabelling(PAPER.vocabulary, [])


NO_SYMMETRIES = ("01234567", "012345677", "0123456789", "01234567x", "102345678", "000000000", "", "٠12345678")


@pytest.fixture(scope="module")
def parts() -> list[Any]:
    statement = compile_reading(specs(), "rules-won-field-stays", "as-stated").statement
    assert statement is not None
    found: list[Any] = unfold(statement)["parts"]
    return found


def steps(parts: list[Any]) -> dict[str, Any]:
    return steps_of("paper", *parts, formulas=[])


def test_the_symmetries_are_those_of_the_square() -> None:
    """Eight permutations keep every line of three, and no other permutation does."""
    kept = {
        p for p in itertools.permutations(range(9)) if all(tuple(sorted(p[s] for s in line)) in LINES for line in LINES)
    }
    assert (len(SYMMETRIES), kept) == (8, set(SYMMETRIES))


@pytest.mark.parametrize("name", ["paper", "paper-play-on", "closed-open-fields", "closed-any-spot"])
def test_a_symmetry_takes_plays_to_plays(name: str) -> None:
    """In every rule set, moves, owners, the active field and the end of the game move with the position."""
    game: Any = find_rules(name)
    generator = random.Random(name)
    for permutation in SYMMETRIES:
        position, image = game.start, game.start
        while moves := game.legal_moves(position):
            moved = sorted((permutation[f], permutation[s]) for f, s in moves)
            assert moved == list(game.legal_moves(image))
            f, s = generator.choice(moves)
            position, image = game.play(position, (f, s)), game.play(image, (permutation[f], permutation[s]))
            assert relabel_position(permutation, position) == (image.x_mask, image.o_mask, image.active)
            for mask, other in zip(position[2:4], image[2:4], strict=True):
                assert sum(1 << permutation[k] for k in range(9) if mask >> k & 1) == other
            assert game.is_over(position) == game.is_over(image)


def test_images_are_found_and_accepted(parts: list[Any]) -> None:
    """Of nine fields in each of two parts, a corner, an edge and the middle remain."""
    images = find_images(steps(parts))
    assert (len(parts), len(images)) == (18, 12)
    assert check_images(PAPER, steps(parts), images) == {index for index, *_ in images}


def test_a_changed_part_is_not_an_image(parts: list[Any]) -> None:
    """Any change in a part makes it different from the image."""
    images = find_images(steps(parts))
    index = images[0][0]
    changes: tuple[dict[str, Any], ...] = (
        {"turn": "X"},
        {"claimant": "O" if parts[index]["claimant"] == "X" else "X"},
        {"hypotheses": []},
        {"plays": [0, 0]},
        {"step": "none"},
        {"conclusions": [["said", ["X_wins"]]]},
        {"hypotheses": parts[index]["conclusions"], "conclusions": parts[index]["hypotheses"] or [["c", True]]},
    )
    for change in changes:
        changed = copy.deepcopy(parts)
        changed[index] |= change
        assert reason_of(check_images, PAPER, steps(changed), images) == "relabelling", change
    renamed = [{**part, "part": str(at)} for at, part in enumerate(parts)]
    assert check_images(PAPER, steps(renamed), images), "names do not count"


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (("99", "of", "how"), None, "malformed"),
        (("index", "index", "how"), None, "malformed"),
        (("index", "of", "how"), ("of", "index", "how"), "malformed"),
        (("index", "of", "how"), ("index", "of", "how"), "malformed"),
        (("index", "own", "how"), None, "relabelling"),
        (("index", "of", "012345678"), None, "relabelling"),
        *((("index", "of", text), None, "malformed") for text in NO_SYMMETRIES),
    ],
)
def test_attacks_on_images_are_rejected(first: Any, second: Any, reason: str, parts: list[Any]) -> None:
    """A part is the image of another part, which is not an image itself, by a symmetry between the two."""
    images = find_images(steps(parts))
    own = sorted(set(range(len(parts))) - {index for index, *_ in images})
    index, of, how = images[0]
    names = {"index": index, "of": of, "own": own[-1], "how": how, "99": len(parts)}
    data = [
        [names.get(one, one) if isinstance(one, str) else one for one in image] for image in (first, second) if image
    ]
    assert reason_of(check_images, PAPER, steps(parts), data) == reason


@pytest.mark.parametrize("rules", ["threesome4x4", "tictactoe"])
def test_only_nine_fields_have_images(rules: str) -> None:
    """The first nine spots of the 4×4 board are not a square: some images of its lines are not lines."""
    corner, turned = ([["marks", ["X", spot]] for spot in line] for line in ((0, 1, 2), (6, 7, 8)))
    parts = [part(hypotheses=marks, conclusions=[["over", ["over"]]]) for marks in (corner, turned)]
    assert SAID.part(parts[0], (6, 7, 8, 3, 4, 5, 0, 1, 2)) == SAID.part(parts[1], IDENTITY)
    with pytest.raises(CertificateError, match="under these rules a part cannot be the image of another") as caught:
        check_images(find_rules(rules), steps(parts), [[1, 0, "678345012"]])
    assert caught.value.reason == "relabelling"


def test_formulas_are_compared_by_meaning_under_a_symmetry() -> None:
    """Names are read once, a free choice stays one, and order counts where it has a meaning."""
    turned, same = (*SYMMETRIES[3], 9), (*IDENTITY, 9)
    a, b = ["X", 0, 1], ["O", 2, 2]
    said = Relabelling(PAPER.vocabulary, [a])
    assert said.formula(["use", 0], turned) == said.formula(a, turned) == said.formula(["use", 0], turned)
    assert said.formula(["use", 0], same) != said.formula(a, turned)
    assert said.formula(["active", 9], turned) == said.formula(["active", 9], same)
    assert said.formula(["and", a, b], turned) == said.formula(["and", b, a], turned)
    assert said.formula(["implies", a, b], turned) != said.formula(["implies", b, a], turned)


def test_strategies_are_compared_by_meaning_under_a_symmetry() -> None:
    """Conditions and moves are mapped. The order of rules counts; that of instances and of choices does not."""
    said, turned = Relabelling(PAPER.vocabulary, []), (*SYMMETRIES[3], 9)

    def number(instances: list[list[list[int]]], permutation: Permutation) -> int:
        """Number the mapped instances of a strategy, whose rules are about spots in the middle field."""
        made = []
        for rules in instances:
            choices = [[{"when": ["free", 4, spot], "play": [4, spot]} for spot in spots] for spots in rules]
            named = [{"rule": "r", "choices": some} for some in choices]
            made.append({"when": True, "rules": named})
        return said.part({"player": "X", "phases": [{"phase": "p", "instances": made}]}, permutation)

    asked, same = [[[0, 1], [2]], [[3]]], (*IDENTITY, 9)
    image = [[[turned[spot] for spot in spots] for spots in rules] for rules in asked]
    assert number(asked, turned) == number(image, same) != number(asked, same)
    assert number(asked, same) == number([[[3]], [[1, 0], [2]]], same)
    assert number(asked, same) != number([[[2], [0, 1]], [[3]]], same)


def test_images_need_no_obligations() -> None:
    """A proof with images is accepted if it has the obligations of the other parts, and refused if it has more."""
    parts = [part(hypotheses=[["his", ["X", f, f]]], conclusions=[["not hers", ["not", ["O", f, f]]]]) for f in (0, 8)]
    statement, images = steps(parts), [[1, 0, "876543210"]]
    derived = derive(statement, {1})
    marks = "/".join(["X........", *["........."] * 8])
    evidence = {
        "models": [{"part": 0, "position": f"{marks} ......... 0", "moves": []}],
        "obligations": {"digest": derived.digest, "shown": [[0, "not hers", [*derived.preconditions[0].assumptions]]]},
        "images": images,
    }
    result = decide(statement, "proved", evidence, lambda *_: b"")
    assert (result.stats["parts"], result.stats["images"], result.stats["obligations"]) == (2, 1, 1)
    with pytest.raises(CertificateError, match=r"has the keys .*, not models"):
        decide(statement, "proved", {**evidence, "more": []}, lambda *_: b"")


WORDS = ("X", "O", "free", "full", "active", "won_by_X", "won_by_O")
NESTED = [name for name, game in GAMES.items() if isinstance(game, NestedGame)]


def moved(node: Any, permutation: Permutation) -> Any:
    """Return a formula, a move or any part of a statement with renumbered fields and spots."""
    if isinstance(node, dict):
        return {
            key: [permutation[part] for part in value] if key == "play" else moved(value, permutation)
            for key, value in node.items()
        }
    if isinstance(node, list) and node and node[0] in WORDS:
        return [node[0], *(index if index == ANY else permutation[index] for index in node[1:])]
    return [moved(part, permutation) for part in node] if isinstance(node, list) else node


def random_statement(game: NestedGame, chance: random.Random) -> dict[str, Any]:
    """Return a statement about two plies in which O takes spots in some order, where some formulas allow it."""
    while game.is_over(position := random_position(game, chance, 60)) or game.turn(position) != "X":
        pass
    spots = chance.sample(range(9), 9)
    rules = [
        rule(f"{place}", *(
            (["and", ["or", ["active", f], ["active", ANY]], ["free", f, s], formula], [f, s]) for f in range(9)
        ))
        for place, s in enumerate([*spots, *spots])
        for formula in [without_old(random_formula(game, chance, 2)) if place < 9 else True]
    ]  # fmt: skip
    holds = without_old(random_formula(game, chance, 3))
    objective = {"name": "it", "type": chance.choice(["keep", "some"]), "at": ["every"], "holds": holds}
    changes = {"claimant": "O", "horizon": game.ply(position) + 2, "strategies": {"O": strategy(*rules, player="O")}}
    return play(game.data, game.format_position(position), objective, **changes)


@pytest.mark.parametrize("count", [2, pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", names_without("paper-play-on", "closed-open-fields", "closed-any-spot", among=NESTED))
def test_an_image_of_plays_has_their_verdict(name: str, count: int) -> None:
    """If start, strategy and objective are mapped by a symmetry of the square, the verdict is the same."""
    game, chance, found = GAMES[name], random.Random(name), set()
    assert isinstance(game, NestedGame)
    for _ in range(count):
        statement = random_statement(game, chance)
        is_some = statement["objectives"][0]["type"] == "some"
        way: Any = {"evidence": {"objective": "it"} if is_some else {}, "verdict": "refuted" if is_some else "proved"}
        verdict = judge(statement, **way)
        found.add(verdict in ("proved", "refuted"))
        assert judge({**statement, "symmetric": True}, **way) == verdict
        for permutation in SYMMETRIES:
            image = moved(copy.deepcopy(statement), permutation)
            image["start"] = game.format_position(image_of(permutation, game.parse_position(statement["start"])))
            assert judge(image, **way) == verdict, (permutation, statement)
    assert len(found) > 1 or count < 12

"""Play random games by the rules of a file, and report parts of the rules that may not say what was meant."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from verifier.describing import and_more
from verifier.kernel.games.general import General
from verifier.kernel.words import counted
from verifier.language.rules.general import GeneralRules

MAX_GAMES, MAX_GAME_MOVES, MAX_TOTAL_MOVES = 1000, 500, 10_000
"""Maximum number of games, of moves in a game, and of moves in all games."""

HINTS_SEED = 0


def find_hints(game: General, model: GeneralRules) -> Iterator[str]:
    """Play random games. Yield sentences about parts of the rules that did nothing in them, and about endless games.

    Args:
        game: the game.
        model: the game's rules file, which has the names of moves and outcomes.
    """
    chance, games, played = random.Random(HINTS_SEED), 0, 0  # noqa: S311 - these are games, not secrets
    made, changed, met, endless = set[str](), set[int](), set[int | None](), 0
    while games < MAX_GAMES and played < MAX_TOTAL_MOVES:
        position = game.start
        moves = game.legal_moves(position)
        for _ in range(min(MAX_GAME_MOVES, MAX_TOTAL_MOVES - played)):
            if not moves:
                break
            made.update(map(game.format_move, moves))
            after = game.play(position, moves[int(chance.random() * len(moves))])
            changed |= {at for at, value in enumerate(after.values) if value != position.values[at]}
            position, played = after, played + 1
            met.add(next((n for n, (holds, _) in enumerate(game.clauses) if holds(position, position)), None))
            moves = game.legal_moves(position)
        games, endless = games + 1, endless + (bool(moves) and played < MAX_TOTAL_MOVES)
    in_games = f"in {counted(games, 'random game')}"
    for template in model.moves:
        pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(template))
        if not any(re.fullmatch(pattern, text) for text in made):
            yield f"{in_games}, no move {template!r} was ever legal: check its 'when', and the ranges of cells"
    same = [cells for at, cells in enumerate(game.all_cells) if at in changed]
    still = [name for name, cells in game.cells.items() if cells not in same]
    if still:
        yield f"{in_games}, {still[0]!r}{and_more(len(still) - 1, 'cell')} never changed"
    for number, name in enumerate(model.outcomes):
        if number not in met:
            yield f"{in_games}, the outcome {name!r} was never met"
    if endless:
        yield f"{in_games}, {endless:,} had not ended after {MAX_GAME_MOVES} moves: can play go on for ever?"

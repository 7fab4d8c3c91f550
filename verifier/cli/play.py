"""The command ``play``: play against a certificate in the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from verifier.cli.options import EVIDENCE, add_color, add_look_options, command, open_to_look
from verifier.cli.progress import layout_for, telling
from verifier.kernel.errors import IllegalMoveError, NotationError, UsageError
from verifier.kernel.words import counted
from verifier.report.printable import make_printable

if TYPE_CHECKING:
    from verifier.api.play import Play
    from verifier.presentation.family import Presentation
    from verifier.presentation.saying import RuleWords
    from verifier.report.layout import Layout

HELP = """\
MOVE   play it: {how}
moves  list what you may play
hint   the move that delays the win longest
why    the rule of the last answer, as it is in its file
rules  the rules of the game
undo   take back your last move
q      quit (the end of the input does the same)"""


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Play against the strategy of a proved claim. If a refuted claim says that a player can force something, you
        are that player, and play against the opponent, who prevents it. The kernel checks the certificate first. Then
        every move of the other side comes from the certificate, with its rule in words. At the prompt, 'help' lists
        what you can type, 'hint' suggests a move, and 'why' prints the rule as it is in its file. Input may come from
        a pipe.
        """,
        {
            "verifier play lemma-3": "Olivia against Xavier, who wins by ply 43",
            "echo 4.0 4.1 | verifier play lemma-3": "the same from a pipe",
        },
        codes=EVIDENCE | {0: "the game or the input has ended"},
    )
    parser.add_argument(
        "claim", metavar="CLAIM[/READING]", help="a claim (name the reading if several readings are about plays)"
    )
    add_look_options(parser)
    add_color(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``play``."""
    from verifier.presentation.registry import find_presentation

    found = open_to_look(arguments)
    certificate = found.certificate(arguments.claim)
    layout = layout_for(arguments)
    claim, reading = certificate.reference
    print(make_printable(f"{certificate.name}: {found.library.claim(claim).title}"))
    print(f"\n{certificate.start.draw(colour=layout.is_coloured, numbers=True)}\n", flush=True)
    with telling(f"checking every play of {certificate.name}"):
        play = certificate.strategy()
    you = "O" if play.claimant == "X" else "X"
    print(f"You are {you}. 'help' lists what you can type.\n")
    file = found.library.rules_file(found.library.claim(claim).rules_of(reading))
    table = PlaySession(play, certificate.rules, find_presentation(play.board.game, play.board.drawings), file, layout)
    table.begin()
    for word in _words(f"{you}> "):
        if not table.take(word):
            break
    return 0


def _words(prompt: str) -> Iterator[str]:
    """Yield the input word by word until it ends. If it comes from a pipe, print each word."""
    is_terminal = sys.stdin.isatty()
    while True:
        if is_terminal:
            print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            if is_terminal:
                print()
            return
        for word in line.split():
            if not is_terminal:
                print(make_printable(f"{prompt}{word}"))
            yield word


@dataclass(slots=True)
class PlaySession:
    """A game that is being played.

    Attributes:
        rules: the rules of the strategy in words, by label.
        shown: the presentation of the game.
        file: the rules file of the game.
        turns: for ``undo``, the play as it was before each of your moves.
        rule: the label of the rule of the last answer.
    """

    play: Play
    rules: dict[str, RuleWords]
    shown: Presentation
    file: Any
    layout: Layout
    turns: list[Play] = field(default_factory=list)
    rule: str = ""

    def take(self, word: str) -> bool:
        """Do what a word of the input says. Return False if the user wants to quit."""
        told = {"moves": self._moves, "hint": self._hint, "why": self._why, "rules": self._rules}
        if word in ("q", "quit", "exit"):
            return False
        if word == "help":
            move = next(iter(self.play.moves), "")
            how = f"{self.shown.how_to_move}, such as {move}" if move else "this play has ended"
            print(HELP.format(how=how))
        elif word in told:
            for text in told[word]():
                print("\n".join(self.layout.wrap(text, "", "    ")))
        elif word == "undo" and not self.turns:
            print("nothing to take back")
        elif word == "undo":
            play = self.turns.pop()
            self.play = replace(play, board=replace(play.board, last=""))
            self._show()
        else:
            self._move(word)
        return True

    def _moves(self) -> Iterator[str]:
        yield " ".join(self.play.moves) or "none: this play has ended"

    def _hint(self) -> Iterator[str]:
        """Yield a move after which the claimant is not sure to win; if there is none, the move that delays him most."""
        after = {move: self.play.after(move) for move in self.play.moves}
        left = {move: play.longest for move, play in after.items() if play.longest is not None}
        if not after:
            yield "this play has ended"
        elif len(left) < len(after):
            free = [move for move in after if move not in left]
            yield f"{free[0]}: {self.play.claimant} is not certain to win after it"
        else:
            best = max(left, key=lambda move: left[move])
            most = counted(left[best] + 1, "ply", "plies")
            yield f"{best}: {self.play.claimant} then wins in at most {most} from here; no other move delays it more"

    def _why(self) -> Iterator[str]:
        """Yield the rule of the last answer as it is in its file."""
        if not self.rule:
            yield "no rule: the move is from a table" if self.play.board.last else "no move has been answered yet"
        elif self.rule not in self.rules:
            yield f"rule {self.rule}"
        else:
            rule = self.rules[self.rule]
            yield f"rule {self.rule}" + (f" ({rule.place})" if rule.place else "") + f": {rule.rule}"

    def _rules(self) -> Iterator[str]:
        yield from (said.text for said in self.shown.say_rules(self.file))

    def _move(self, word: str) -> None:
        try:
            after = self.play.after(word)
        except NotationError as error:
            print(make_printable(f"{error}; 'help' lists what you can type"))
        except IllegalMoveError as error:
            reason = str(error).removesuffix(f" in {self.play.board.position}")
            print(make_printable(f"{reason}; 'moves' lists what may be played"))
        except UsageError as error:
            print(make_printable(error))
        else:
            self.turns.append(self.play)
            self.play = after
            print(f"you play {after.board.last}")
            self.answer()

    def begin(self) -> None:
        """If the claimant moves first, let the certificate move. The board is already on the screen."""
        if self.play.board.turn == self.play.claimant:
            self.answer()
        else:
            self._say_ply()

    def answer(self) -> None:
        """Let the certificate move until it is your turn or the play has ended, then show the board."""
        while self.play.board.turn == self.play.claimant and not self.play.end:
            (move, self.rule), *others = self.play.moves.items()
            said = self.rules[self.rule].says if self.rule in self.rules else ""
            by = f"{said} ({self.rule})" if said else f"by {self.rule}" if self.rule else ""
            more = f" (or: {', '.join(other for other, _ in others)})" if others else ""
            text = f"{self.play.claimant} plays {move}{more}" + (f": {by}" if said else f" {by}" if by else "")
            print("\n".join(self.layout.wrap(text, "", "    ")))
            self.play = self.play.after(move)
        self._show()

    def _show(self) -> None:
        print(self.play.board.draw(colour=self.layout.is_coloured, numbers=True))
        self._say_ply()

    def _say_ply(self) -> None:
        play, ply = self.play, self.play.board.ply
        if play.end:
            end = "the certificate goes no further" if play.end == "horizon" else play.end
            print(make_printable(f"ply {ply}: {end}") + "\n")
        elif play.shortest is not None and play.longest is not None:
            span = f"{play.shortest} to " * (play.shortest != play.longest) + counted(play.longest, "ply", "plies")
            print(f"ply {ply}; {play.claimant} wins in {span} from here, at ply {ply + play.longest} at the latest\n")
        else:
            print(f"ply {ply}\n")

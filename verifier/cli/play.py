"""The command ``play``: a game in the terminal against a certificate."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from verifier.cli.opening import add_look_options, open_to_look
from verifier.cli.options import add_color, command, reads
from verifier.cli.progress import is_coloured
from verifier.kernel.errors import IllegalMoveError, NotationError, UsageError
from verifier.kernel.words import counted
from verifier.report.printable import make_printable

if TYPE_CHECKING:
    from verifier.api.play import Play

HELP = """\
MOVE   play it: {how}
moves  list what you may play
undo   take back your last move
quit   end (so does the end of the input)"""


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Play against the strategy of a proved claim. If a claim that a player can do something is refuted, play
        against the opponent who prevents it. The kernel checks the certificate first. Then every move of the
        other side comes from it, and the rule behind the move is shown. Type 'help' at the prompt for a list of
        inputs. Input may come from a pipe.
        """,
        {
            "verifier play lemma-3": "Olivia against Xavier, who wins by ply 43",
            "echo 4.0 4.1 | verifier play lemma-3": "the same from a pipe",
        },
        run=run,
        codes={0: "the game or the input has ended", 4: "the certificate was rejected"},
        files=reads("", "the shipped evidence"),
    )
    parser.add_argument(
        "claim", metavar="CLAIM[/READING]", help="a claim about plays; the reading, where several have plays"
    )
    add_look_options(parser)
    add_color(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``play``."""
    certificate = open_to_look(arguments).certificate(arguments.claim)
    play = certificate.strategy()
    you = "O" if play.claimant == "X" else "X"
    print(make_printable(f"You are {you}, against {certificate.name}. 'help' lists what you can type.") + "\n")
    table = Game(play, is_coloured(sys.stdout, arguments.color))
    table.answer()
    for word in _words(f"{you}> "):
        if not table.take(word):
            break
    return 0


def _words(prompt: str) -> Iterator[str]:
    """Yield what is typed, word by word, until the input ends; from a pipe each word is echoed."""
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
                print(f"{prompt}{word}")
            yield word


@dataclass(slots=True)
class Game:
    """A game under way.

    Attributes:
        play: as far as it has gone.
        colour: whether boards are drawn in colours.
        turns: the plays in which you moved, for ``undo``.
    """

    play: Play
    colour: bool = False
    turns: list[Play] = field(default_factory=list)

    def take(self, word: str) -> bool:
        """Do what a word says; return whether to go on."""
        if word in ("quit", "exit"):
            return False
        if word == "help":
            print(HELP.format(how=self._how()))
        elif word == "moves":
            print(" ".join(self.play.moves) or "none: this play has ended")
        elif word == "undo" and not self.turns:
            print("nothing to take back")
        elif word == "undo":
            self.play = replace(self.turns.pop(), last="")
            self._show()
        else:
            self._move(word)
        return True

    def _how(self) -> str:
        """Say how moves are written, by one that may be played."""
        from verifier.presentation.registry import show

        move = next(iter(self.play.moves), "")
        return f"{show(self.play.board.game).how_to_move}, such as {move}" if move else "this play has ended"

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
            print(f"you play {after.last}")
            self.answer()

    def answer(self) -> None:
        """Let the certificate move, where it is its turn, and show the board."""
        if self.play.board.turn == self.play.claimant and not self.play.end:
            (move, rule), *others = self.play.moves.items()
            by = f" by {rule}" if rule else ""
            more = f" (or: {', '.join(other for other, _ in others)})" if others else ""
            print(make_printable(f"{self.play.claimant} plays {move}{by}{more}"))
            self.play = self.play.after(move)
        self._show()

    def _show(self) -> None:
        play, ply = self.play, self.play.board.ply
        print(play.board.draw(colour=self.colour, numbers=True))
        if play.end:
            end = "the certificate goes no further" if play.end == "horizon" else play.end
            print(make_printable(f"ply {ply}: {end}") + "\n")
        elif play.shortest is not None and play.longest is not None:
            span = f"{play.shortest} to " * (play.shortest != play.longest) + counted(play.longest, "ply", "plies")
            print(f"ply {ply}; {play.claimant} wins in {span} from here, at ply {ply + play.longest} at the latest\n")
        else:
            print(f"ply {ply}\n")

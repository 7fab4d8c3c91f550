"""The command ``play``: a game in the terminal against a certificate."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from verifier.cli.options import add_color, command, reads
from verifier.cli.plan import add_look_options, open_to_look
from verifier.cli.progress import is_coloured
from verifier.kernel.errors import IllegalMoveError, NotationError
from verifier.kernel.words import counted
from verifier.report.printable import make_printable

if TYPE_CHECKING:
    from verifier.graph.playable import PlayGraph

HELP = """\
f.s    play on spot s of field f, such as 4.0 (other games: the move as the kernel writes it)
moves  list what you may play
undo   take back your last move
quit   end (so does the end of the input)"""


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "play",
        "play against a certified strategy in the terminal",
        "Play against the strategy of a proved claim: the kernel checks its certificate, then every move of the other "
        "side comes from it, with the rule of the strategy that it follows. At the prompt 'help' lists what can be "
        "typed: moves such as 4.0, and the words moves, undo and quit. Input may come from a pipe.",
        {
            "verifier play lemma-3": "Olivia against Xavier, who wins by ply 43",
            "echo 4.0 4.1 | verifier play lemma-3": "the same from a pipe",
        },
        run=run,
        codes={0: "the game or the input has ended", 4: "the certificate was rejected"},
        files=reads("", "the shipped evidence"),
    )
    parser.add_argument("claim", metavar="CLAIM[/READING]", help="a claim with a strategy")
    add_look_options(parser)
    add_color(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``play``."""
    certificate = open_to_look(arguments).certificate(arguments.claim)
    graph = certificate.strategy()
    you = "O" if graph.claimant == "X" else "X"
    print(make_printable(f"You are {you}, against {certificate.name}. 'help' lists what you can type.") + "\n")
    table = Game(graph, is_coloured(sys.stdout, arguments.color))
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
        graph: what the certificate says.
        colour: whether boards are drawn in colours.
        number: the position that is reached.
        turns: the positions in which you moved, for ``undo``.
    """

    graph: PlayGraph
    colour: bool = False
    number: int = 0
    turns: list[int] = field(default_factory=list)

    def take(self, word: str) -> bool:
        """Do what a word says; return whether to go on."""
        if word in ("quit", "exit"):
            return False
        if word == "help":
            print(HELP)
        elif word == "moves":
            print(self._list_moves() or "none: this play has ended")
        elif word == "undo":
            self._undo()
        else:
            self._play(word)
        return True

    def _undo(self) -> None:
        if not self.turns:
            print("nothing to take back")
            return
        self.number = self.turns.pop()
        self._show(None, "")

    def _play(self, word: str) -> None:
        graph = self.graph
        position = graph.positions[self.number]
        try:
            move = graph.game.parse_move(word)
            graph.game.play(position, move)
        except NotationError as error:
            print(make_printable(f"{error}; 'help' lists what you can type"))
            return
        except IllegalMoveError as error:
            reason = str(error).removesuffix(f" in {graph.game.format_position(position)}")
            print(make_printable(f"{reason}; 'moves' lists what may be played"))
            return
        following = None if graph.ends[self.number] else graph.follow(self.number, move)
        if following is None:
            known = self._list_moves() or "no move, it ends here"
            print(f"the certificate says nothing of {word} here; it knows: {known}")
            return
        self.turns.append(self.number)
        self.number = following
        self._show(move, "you play")
        self.answer()

    def answer(self) -> None:
        """Let the certificate move, where it is its turn, and show the board."""
        graph = self.graph
        if graph.movers[self.number] != graph.claimant:
            if not self.turns:
                self._show(None, "")
            return
        choices = graph.edges[self.number]
        edge = choices[0]
        self.number = edge.to
        rule = f" by {edge.rule}" if edge.rule else ""
        others = ", ".join(graph.game.format_move(other.move) for other in choices[1:])
        self._show(edge.move, f"{graph.claimant} plays", rule + (f" (as good: {others})" if others else ""))

    def _list_moves(self) -> str:
        return " ".join(self.graph.game.format_move(edge.move) for edge in self.graph.edges[self.number])

    def _show(self, move: tuple[int, ...] | None, words: str, reason: str = "") -> None:
        from verifier.report.board import draw_board

        graph = self.graph
        if move is not None:
            print(make_printable(f"{words} {graph.game.format_move(move)}{reason}"))
        if graph.movers[self.number] == graph.claimant:
            return  # its answer follows at once
        position = graph.positions[self.number]
        ply = graph.game.ply(position)
        print(draw_board(graph.game, position, move, colour=self.colour, is_numbered=True))
        if graph.ends[self.number]:
            end = graph.ends[self.number]
            print(make_printable(f"ply {ply}: {'the certificate goes no further' if end == 'horizon' else end}") + "\n")
            return
        shortest, longest = graph.shortest[self.number], graph.longest[self.number]
        if shortest >= 0 and longest >= 0:
            span = f"{shortest} to " * (shortest != longest) + counted(longest, "ply", "plies")
            print(f"ply {ply}; {graph.claimant} wins in {span} from here, at ply {ply + longest} at the latest\n")
        else:
            print(f"ply {ply}\n")

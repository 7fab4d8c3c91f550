"""The command ``completion``: a script that teaches a shell the commands, their options and the claims."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import Any

from verifier.api.folders import find_folder
from verifier.cli.options import add_folder, command, reads

SHELLS = ("bash", "zsh", "fish", "tcsh")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]*")
"""What no shell expands: a folder of any other name is not completed."""


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Print a script for a shell. Once it is loaded, the Tab key completes commands, options, files,
        and the ids and folders of the claims. The script lists the claims that exist now: print it
        again after you add some.
        """,
        {
            'eval "$(verifier completion bash)"': "for this session of bash",
            "verifier completion bash > ~/.local/share/bash-completion/completions/verifier": "for good, in bash",
            "verifier completion fish > ~/.config/fish/completions/verifier.fish": "for good, in fish",
            "verifier completion zsh > _verifier": "in zsh: move the file to a folder of $fpath",
        },
        codes={0: "the script was printed"},
        files=reads("the claims"),
    )
    parser.add_argument("shell", choices=SHELLS, help="which shell")
    add_folder(parser, "specs")


def run(arguments: argparse.Namespace) -> int:
    """Run ``completion``."""
    import shtab

    from verifier.api.selection import find_folders
    from verifier.cli import build_parser
    from verifier.language.folder import load_library

    library = load_library(find_folder("specs", arguments.specs))
    known = {*library.claims, *find_folders(library)}
    words = _complete_words(sorted(name for name in known if _PLAIN.fullmatch(name)))
    parser = build_parser()
    for action in _actions(parser):
        names = action.metavar if isinstance(action.metavar, str) else ""
        if "CLAIM" in names:
            action.complete = words  # type: ignore[attr-defined] # what shtab looks for
        elif names == "DIR":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif names in ("FILE", "PATH", "OLD", "NEW"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(parser, arguments.shell))
    return 0


def _complete_words(words: list[str]) -> dict[str, Any]:
    """Return what completes to one of some words, or to a file, in the way of each shell."""
    text = " ".join(words)
    return {
        "bash": "_verifier_claims",
        "zsh": "_verifier_claims",
        "fish": "(_verifier_claims)",
        "tcsh": f"({text})",
        "preamble": {
            "bash": f'_verifier_claims() {{\n  compgen -W "{text}" -- "$1"\n  compgen -f -- "$1"\n}}',
            "zsh": f"_verifier_claims() {{\n  _alternative 'claims:claim:({text})' 'files:spec file:_files'\n}}",
            "fish": f"function _verifier_claims\n  string split ' ' '{text}'\n"
            "  __fish_complete_path (commandline -ct)\nend",
        },
    }


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)

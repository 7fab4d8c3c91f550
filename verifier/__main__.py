"""Run the command line: ``python -m verifier``, or the program ``verifier``."""

import sys


def run_command_line() -> int:
    """Run a command; return its exit code. Ctrl-C ends it without a traceback, even while its code is being loaded."""
    try:
        from verifier.cli import main

        return main()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(run_command_line())

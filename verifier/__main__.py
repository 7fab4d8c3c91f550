"""Run the command line: ``python -m verifier``, or the program ``verifier``."""

import gc
import sys


def run_command_line() -> int:
    """Run a command; return its exit code. Ctrl-C ends it without a traceback, even while its code is being loaded."""
    gc.set_threshold(200_000, 100, 100)  # collect garbage rarely: there are many positions and formulas, but no cycles
    try:
        from verifier.cli import main

        return main()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return 130
    finally:
        gc.freeze()  # otherwise Python looks for cycles among all objects before it ends


if __name__ == "__main__":
    sys.exit(run_command_line())

"""The trusted kernel: only the standard library, immutable values, and no search without a limit."""

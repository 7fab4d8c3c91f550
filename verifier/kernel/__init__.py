"""The trusted kernel: standard library only, immutable values, no search beyond a stated bound."""

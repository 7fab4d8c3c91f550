"""The number of running compilations, which the progress of a run shows."""

from __future__ import annotations

from numba.core import event

from verifier.counting import COMPILATIONS, make_counter
from verifier.search.jit import compiled


def test_a_compilation_is_counted_as_long_as_it_lasts() -> None:
    counter, seen = make_counter(), list[int]()
    COMPILATIONS.use(counter)

    class Reader(event.Listener):
        """Reads the counter while Numba compiles."""

        def on_start(self, event: object) -> None:
            seen.append(counter.value)

        def on_end(self, event: object) -> None:
            pass

    def twice(number: int) -> int:
        return 2 * number

    with event.install_listener("numba:compile", Reader()):
        assert compiled(twice)(4) == 8
    assert seen == [1]
    assert counter.value == 0

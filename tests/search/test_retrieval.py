"""The cells from which the browser reads replies give back the value of every key."""

import numpy as np
import pytest

from verifier.search.retrieval import _fill


@pytest.mark.parametrize("count", [0, 1, 225, 2000])
def test_the_cells_of_a_key_give_its_value(count: int) -> None:
    """Also for few keys, some of which share all three cells at the least size."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        hashes = rng.integers(0, 2**32, (2, count), dtype=np.uint32)
        values = rng.integers(0, 9, count)
        third, packed = _fill(hashes, values)
        table = np.array([half for byte in packed for half in (byte & 15, byte >> 4)], dtype=np.int64)
        mixed = (hashes[0] ^ hashes[1] * np.uint32(0x9E3779B1)) % np.uint32(third)
        found = (
            table[hashes[0] % third] ^ table[third + hashes[1] % third] ^ table[2 * third + mixed] if count else values
        )
        assert (found == values).all()

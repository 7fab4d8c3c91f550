"""Images of positions under permutations of the nine fields, and of the spots of each field."""

from verifier.kernel.games.lines import Permutation
from verifier.kernel.games.nested import ANY, NestedPosition


def relabel_position(permutation: Permutation, position: NestedPosition) -> tuple[int, int, int]:
    """Return the image of a position: two masks of marks and the active field."""
    masks = []
    for mask in (position.x_mask, position.o_mask):
        places = (divmod(place, 9) for place in range(81) if mask >> place & 1)
        masks.append(sum(1 << (9 * permutation[f] + permutation[s]) for f, s in places))
    return masks[0], masks[1], ANY if position.active == ANY else permutation[position.active]


def image_of(permutation: Permutation, position: NestedPosition) -> NestedPosition:
    """Return the image of a position under a symmetry of the square. Lines stay lines, so owners move along."""
    x, o, active = relabel_position(permutation, position)
    owners = (position.x_fields_mask, position.o_fields_mask)
    x_fields, o_fields = (sum(1 << permutation[f] for f in range(9) if mask >> f & 1) for mask in owners)
    return NestedPosition(x, o, x_fields, o_fields, active)

"""How a mesh is spread over the slices of a machine that has several."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from museum.mesh.document import StudioDocument
from museum.mesh.torus import place


@dataclass(frozen=True, slots=True)
class Across:
    """What `create_hybrid_device_mesh` is told.

    Attributes:
        inside: Logical sizes within one slice.
        between: Slices along each logical axis.
        split: Whether physical axes must be split.
    """

    inside: tuple[int, ...]
    between: tuple[int, ...]
    split: bool


def across_slices(document: StudioDocument) -> Across | None:
    """The slices along as few axes as can be, the slowest first, so that each slice can be laid out.

    Returns:
        None on a single slice, for a mesh of a part of the machine, or when no axes count the slices.
    """
    topology, shape = document.topology, document.mesh.shape
    if topology is None or topology.slices == 1 or document.mesh.size != topology.size:
        return None
    ways = sorted(_shares(shape, topology.slices), key=lambda between: sum(size > 1 for size in between))
    for split, between in itertools.product((False, True), ways):
        inside = tuple(size // slices for size, slices in zip(shape, between, strict=True))
        if place(topology, inside, across=between, split=split).works:
            return Across(inside, between, split)
    return None


def _shares(shape: Sequence[int], slices: int) -> Iterator[tuple[int, ...]]:
    """Every way to take the slices off the axes, most of them off the slowest first."""
    if not shape:
        if slices == 1:
            yield ()
        return
    for here in range(math.gcd(shape[0], slices), 0, -1):
        if shape[0] % here == 0 and slices % here == 0:
            for rest in _shares(shape[1:], slices // here):
                yield (here, *rest)

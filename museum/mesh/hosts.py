"""Which devices of a picture belong to one host, as rectangles to outline."""

from collections.abc import Sequence
from typing import NamedTuple

from museum.mesh.arrangement import CELL_GAP

_NEXT = 1 + CELL_GAP + 1e-6  # cells that lie further apart are in different grids


class HostPatch(NamedTuple):
    """Devices of one host that lie together: a full rectangle, in cell widths, cells only.

    A host whose devices lie scattered, or in no rectangle, has several.
    """

    host: int
    x: float
    y: float
    w: float
    h: float

    @property
    def text(self) -> str:
        """``host 3``."""
        return f"host {self.host}"


def host_patches(hosts: Sequence[int], xs: Sequence[float], ys: Sequence[float]) -> tuple[HostPatch, ...]:
    """Outline hosts: runs within a row first, then equal runs below each other.

    Args:
        hosts: Process index of every device.
        xs: Left edges, in cell widths.
        ys: Top edges.

    Returns:
        None for a single host.
    """
    if len(set(hosts)) < 2:
        return ()
    patches: list[HostPatch] = []
    open_by_span: dict[tuple[int, float, float], int] = {}  # to the patch that ends at the row above
    for run in _runs(sorted(zip(ys, xs, hosts, strict=True))):
        span = (run.host, run.x, run.w)
        above = open_by_span.get(span)
        if above is not None and run.y - (patches[above].y + patches[above].h) < CELL_GAP + 1e-6:
            patches[above] = patches[above]._replace(h=run.y + 1 - patches[above].y)
        else:
            open_by_span[span] = len(patches)
            patches.append(run)
    return tuple(patches)


def _runs(cells: Sequence[tuple[float, float, int]]) -> list[HostPatch]:
    runs: list[HostPatch] = []
    before: tuple[float, float, int] | None = None
    for y, x, host in cells:
        if before is not None and before[0] == y and before[2] == host and x - before[1] < _NEXT:
            runs[-1] = runs[-1]._replace(w=x + 1 - runs[-1].x)
        else:
            runs.append(HostPatch(host, x, y, 1.0, 1.0))
        before = (y, x, host)
    return runs

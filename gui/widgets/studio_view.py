"""What the studio's page shows, and the forms in which a layout leaves it."""

from dataclasses import dataclass
from enum import StrEnum

from gui.widgets.array_editor import ArrayRow
from museum.mesh.array_drawing import ArrayDrawing
from museum.mesh.document import Memory, StudioArray, StudioDocument
from museum.mesh.layout import ShardLayout
from museum.mesh.mesh_drawing import MeshDrawing


class Copied(StrEnum):
    """What can be put on the clipboard."""

    CODE = "code"
    SHARD_MAP = "shard_map code"
    TEXT = "text"
    JSON = "JSON"
    IMAGE = "image"


class Exported(StrEnum):
    """What can be written to a file; the value is its ending."""

    PNG = "png"
    SVG = "svg"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class StudioView:
    """All that the page shows of a document.

    Attributes:
        chosen: The array that is drawn; None when there is none.
        layout: Of that array.
        mesh: The drawing of the mesh.
        array: The drawing of the array.
        rows: All arrays.
        memory: Of all arrays.
        at: The slice that is drawn, as typed; "" for all of it.
        problems: In words, those of the mesh first.
        machine: How the mesh lies on the machine, in lines.
        shapes: Logical shapes that the machine would take.
        can_order: Whether JAX can be asked for its device order.
    """

    document: StudioDocument
    chosen: StudioArray | None
    layout: ShardLayout | None
    mesh: MeshDrawing
    array: ArrayDrawing | None
    rows: tuple[ArrayRow, ...]
    memory: Memory
    at: str = ""
    problems: tuple[str, ...] = ()
    machine: tuple[str, ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()
    can_order: bool = False
    can_undo: bool = False
    can_redo: bool = False

"""What the studio says about how a mesh lies on its machine."""

from dataclasses import dataclass

from museum.mesh.answer import physical, physical_words
from museum.mesh.document import StudioDocument
from museum.mesh.slices import across_slices
from museum.mesh.topologies import Platform


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """What is said of the machine, the shapes it would take instead, and whether JAX can be asked for its order."""

    words: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...] = ()
    can_order: bool = False


def facts_of(document: StudioDocument) -> MachineFacts:
    """How the document's mesh lies on its machine."""
    topology = document.topology
    if topology is None:
        return MachineFacts(("Choose a machine to see how the mesh lies on it.",))
    on = f" on {topology.hosts:,} hosts" if topology.size and topology.hosts > 1 else ""
    words = [f"{topology}: {many(topology.size, 'device')}{on}" if topology.size else str(topology)]
    placement = physical(document)
    if placement is None:
        if topology.chip.platform is Platform.TPU:
            words.append(f"The mesh takes {document.mesh.size:,} of them; JAX lays out only a mesh of all.")
        return MachineFacts(tuple(words))
    across = across_slices(document)
    if across is not None:
        words.append(f"create_hybrid_device_mesh puts slices along {across.between}, each a mesh of {across.inside}.")
        return MachineFacts(tuple(words), (), can_order=True)
    words += [line.strip() for line in physical_words(document) if "shapes that work" not in line]
    if placement.alternatives:
        words.append("Take one of the shapes above instead.")
    return MachineFacts(tuple(words), placement.alternatives, placement.works)


def many(number: int, noun: str) -> str:
    """``1 device``, ``4,096 devices``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"

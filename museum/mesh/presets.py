"""Ways to spread a transformer over devices, each as a document to start from.

The model is small and regular, with every dimension rounded up so that it divides: the point is who holds what.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from museum.errors import MuseumError
from museum.mesh.document import StudioArray, StudioDocument
from museum.mesh.mesh import MOST_DEVICES
from museum.mesh.spec import Spec


@dataclass(frozen=True, slots=True)
class Preset:
    """One way.

    Attributes:
        id: As on the command line.
        title: In a list.
        words: What is cut, what is copied, what is sent.
        build: Makes the document for a number of devices.
    """

    id: str
    title: str
    words: str
    build: Callable[[int], StudioDocument]


def document_for(preset: str, devices: int, topology: str = "") -> StudioDocument:
    """A preset's document for that many devices.

    Args:
        preset: Its id.
        devices: At least 1.
        topology: The machine they are on; "" for none.

    Raises:
        MuseumError: No such preset, device count or machine.
    """
    if preset not in PRESETS:
        raise MuseumError(f"{preset!r} is no preset; there are {', '.join(PRESETS)}")
    if not 1 <= devices <= MOST_DEVICES:
        raise MuseumError(f"a preset needs 1 to {MOST_DEVICES} devices, not {devices}")
    made = PRESETS[preset].build(devices)
    return StudioDocument.of(made.mesh.command, made.arrays, topology)


def _up(size: int, *parts: int) -> int:
    """The size rounded up so that all the parts, one within the other, divide it."""
    by = math.prod(parts)
    return -(-size // by) * by


def near_square(devices: int) -> tuple[int, int]:
    """Two factors as near to each other as can be, the larger first."""
    small = next(size for size in range(math.isqrt(devices), 0, -1) if devices % size == 0)
    return devices // small, small


def _arrays(*rows: tuple[str, tuple[int, ...], str, str]) -> tuple[StudioArray, ...]:
    return tuple(StudioArray(name, shape, dtype, Spec.parse(spec)) for name, shape, dtype, spec in rows)


def _model(
    mesh: str,
    specs: dict[str, str],
    *,
    batch: int = 64,
    seq: int = 2048,
    width: int = 1024,
    heads: int = 16,
    hidden: int = 4096,
    vocabulary: int = 32_768,
    lead: tuple[int, ...] = (),
) -> StudioDocument:
    """A transformer layer with its embedding and a batch; `lead` are stages or experts in front of the weights."""
    head = 64
    shapes = {
        "tokens": ((batch, seq), "int32"),
        "embed": ((vocabulary, width), "bfloat16"),
        "attention/qkv": ((*lead[:1], width, 3, heads, head), "bfloat16"),
        "attention/out": ((*lead[:1], heads, head, width), "bfloat16"),
        "mlp/w_in": ((*lead, width, hidden), "bfloat16"),
        "mlp/w_out": ((*lead, hidden, width), "bfloat16"),
        "norm/scale": ((*lead[:1], width), "float32"),
        "activations": ((batch, seq, width), "bfloat16"),
    }
    rows = [(name, shape, dtype, specs.get(name, "")) for name, (shape, dtype) in shapes.items()]
    return StudioDocument.of(mesh, _arrays(*rows))


def _data_parallel(devices: int) -> StudioDocument:
    specs = {"tokens": "data", "activations": "data"}
    return _model(f"data={devices}", specs, batch=_up(64, devices))


def _fsdp(devices: int) -> StudioDocument:
    specs = {
        "tokens": "fsdp",
        "activations": "fsdp",
        "embed": "-,fsdp",
        "attention/qkv": "fsdp",
        "attention/out": "-,-,fsdp",
        "mlp/w_in": "fsdp",
        "mlp/w_out": "-,fsdp",
        "norm/scale": "fsdp",
    }
    return _model(f"fsdp={devices}", specs, batch=_up(64, devices), width=_up(1024, devices))


def _tensor(devices: int) -> StudioDocument:
    specs = {
        "embed": "model",
        "attention/qkv": "-,-,model",
        "attention/out": "model",
        "mlp/w_in": "-,model",
        "mlp/w_out": "model",
    }
    return _model(
        f"model={devices}",
        specs,
        heads=_up(16, devices),
        hidden=_up(4096, devices),
        vocabulary=_up(32_768, devices),
    )


def _two_dimensional(devices: int) -> StudioDocument:
    data, model = near_square(devices)
    specs = {
        "tokens": "data",
        "embed": "model,data",
        "attention/qkv": "data,-,model",
        "attention/out": "model,-,data",
        "mlp/w_in": "data,model",
        "mlp/w_out": "model,data",
        "activations": "data,-,model",
    }
    return _model(
        f"data={data},model={model}",
        specs,
        batch=_up(64, data),
        width=_up(1024, data, model),
        heads=_up(16, model),
        hidden=_up(4096, model),
        vocabulary=_up(32_768, model),
    )


def _pipeline(devices: int) -> StudioDocument:
    stage, data = near_square(devices)
    specs = {
        "tokens": "data",
        "attention/qkv": "stage",
        "attention/out": "stage",
        "mlp/w_in": "stage",
        "mlp/w_out": "stage",
        "norm/scale": "stage",
        "activations": "data",
    }
    return _model(f"stage={stage},data={data}", specs, batch=_up(64, data), lead=(stage,))


def _expert(devices: int) -> StudioDocument:
    expert, data = near_square(devices)
    experts = _up(8, expert)
    specs = {
        "tokens": "data+expert",
        "mlp/w_in": "expert,-,data",
        "mlp/w_out": "expert,data",
        "activations": "data+expert",
    }
    made = _model(
        f"data={data},expert={expert}", specs, batch=_up(64, data, expert), hidden=_up(4096, data), lead=(experts,)
    )
    return StudioDocument(made.mesh, tuple(map(_without_experts, made.arrays)))


def _without_experts(array: StudioArray) -> StudioArray:
    """Only the MLP has experts; the layer's other weights are shared by all of them."""
    if array.name.startswith(("attention/", "norm/")):
        return StudioArray(array.name, array.shape[1:], array.dtype, array.spec)
    return array


def _sequence(devices: int) -> StudioDocument:
    specs = {"tokens": "-,seq", "activations": "-,seq"}
    return _model(f"seq={devices}", specs, batch=8, seq=_up(8192, devices))


PRESETS: dict[str, Preset] = {
    preset.id: preset
    for preset in (
        Preset(
            "data",
            "Data parallel",
            "every device holds the whole model and its own part of the batch; gradients are summed over data",
            _data_parallel,
        ),
        Preset(
            "fsdp",
            "FSDP",
            "weights and batch are cut along the same axis; weights are gathered layer by layer, gradients scattered",
            _fsdp,
        ),
        Preset(
            "tensor",
            "Tensor parallel",
            "heads and hidden units are cut; after each half layer the activations are summed over model",
            _tensor,
        ),
        Preset(
            "2d",
            "Data x model",
            "weights are cut both ways: along model for the work, along data to save memory",
            _two_dimensional,
        ),
        Preset(
            "pipeline",
            "Pipeline",
            "each stage holds its own layers; activations go from stage to stage",
            _pipeline,
        ),
        Preset(
            "expert",
            "Expert parallel",
            "each device holds some experts; tokens are sent to theirs and back over expert",
            _expert,
        ),
        Preset(
            "sequence",
            "Sequence parallel",
            "each device holds a part of every sequence; attention passes keys and values around the ring",
            _sequence,
        ),
    )
}

import contextlib

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton
from jax.sharding import AbstractMesh

gpu = contextlib.nullcontext()
if jax.__version_info__ >= (0, 11):  # needs to know which GPU
    h100 = jax.sharding.AbstractDevice("NVIDIA H100", 132, "gpu")
    mesh = AbstractMesh((1,), ("gpu",), abstract_device=h100)
    gpu = jax.sharding.use_abstract_mesh(mesh)
TritonParams = getattr(triton, "CompilerParams", dict)


def softmax_kernel(logits_ref, probs_ref):
    weights = jnp.exp(logits_ref[...])
    probs_ref[...] = weights / jnp.sum(weights)


@jax.jit
def softmax(logits):
    classes = logits.shape[1]
    fill = pl.next_power_of_2(classes) - classes
    logits = jnp.pad(
        logits, ((0, 0), (0, fill)), constant_values=-jnp.inf
    )
    row = pl.BlockSpec((None, logits.shape[1]), lambda i: (i, 0))
    probs = pl.pallas_call(
        softmax_kernel,
        jax.ShapeDtypeStruct(logits.shape, logits.dtype),
        grid=len(logits),
        in_specs=[row],
        out_specs=row,
        compiler_params=TritonParams(),
    )(logits)
    return probs[:, :classes]


logits = jax.ShapeDtypeStruct((8, 1000), jnp.float32)
with gpu:
    traced = softmax.trace(logits)
    lowered = traced.lower(lowering_platforms=("cuda",))
print("lowered:", lowered.out_info.shape)

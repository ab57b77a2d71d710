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


def lora_kernel(hidden_ref, adapter_ref, low_rank_ref):
    low_rank_ref[...] = jnp.dot(hidden_ref[...], adapter_ref[...])


@jax.jit
def lora(hidden, adapter):
    rank = adapter.shape[1]
    low_rank = pl.pallas_call(
        lora_kernel,
        jax.ShapeDtypeStruct((len(hidden), rank), hidden.dtype),
        compiler_params=TritonParams(),
    )(hidden, adapter)
    return low_rank


hidden = jax.ShapeDtypeStruct((32, 64), jnp.float32)
adapter = jax.ShapeDtypeStruct((64, 8), jnp.float32)
with gpu:
    traced = lora.trace(hidden, adapter)
    lowered = traced.lower(lowering_platforms=("cuda",))
print("lowered:", lowered.out_info.shape)

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.sharding import AbstractDevice, AbstractMesh

N, BLOCK = 65_536, 1_024


def scale_kernel(x_ref, out_ref):
    out_ref[...] = x_ref[...] * 2.0


block = pl.BlockSpec((BLOCK,), lambda i: (i,))
x = jax.ShapeDtypeStruct((N,), jnp.float32)
scale = pl.pallas_call(
    scale_kernel,
    out_shape=x,
    grid=(N // BLOCK,),
    in_specs=[block],
    out_specs=block,
)
v6e = AbstractDevice(
    device_kind="TPU v6 lite", num_cores=1, platform="tpu"
)
chip = AbstractMesh((1,), ("chip",), abstract_device=v6e)
with jax.sharding.use_abstract_mesh(chip):
    lowered = (
        jax.jit(scale)
        .trace(x)
        .lower(lowering_platforms=("tpu",))
    )
print("lowered", "tpu_custom_call" in lowered.as_text())

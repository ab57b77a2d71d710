import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.config.update("jax_enable_x64", True)

v6e = topologies.get_topology_desc(
    platform="tpu", topology_name="v6e:2x2"
)
mesh = Mesh(np.array(v6e.devices), ("data",))
by_row = NamedSharding(mesh, P("data"))


def spectrum(signal):
    transform = jnp.fft.fft(signal.astype(jnp.float32))
    return jnp.abs(transform) ** 2


signal = jax.ShapeDtypeStruct(
    (64, 1024), jnp.float64, sharding=by_row
)
lowered = jax.jit(spectrum).lower(signal)
print("spectrum", lowered.out_info.dtype)
compiled = lowered.compile()
print("compiled")

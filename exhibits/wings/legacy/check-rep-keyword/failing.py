import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

try:
    from jax import shard_map
except ImportError:  # JAX before 0.6
    from jax.experimental.shard_map import shard_map

mesh = Mesh(np.array(jax.devices()), ("fsdp",))


def gather_kernel(kernel):
    return jax.lax.all_gather(kernel, "fsdp", tiled=True)


gather_kernel = shard_map(
    gather_kernel,
    mesh=mesh,
    in_specs=P("fsdp"),
    out_specs=P(),
    check_rep=False,
)
kernel = gather_kernel(jnp.ones((64, 16)))
print("kernel", kernel.shape, kernel.sharding.spec)

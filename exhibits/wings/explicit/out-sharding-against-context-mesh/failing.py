import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

try:
    from jax import set_mesh
except ImportError:  # JAX 0.6
    from jax.sharding import use_mesh as set_mesh

mesh = Mesh(np.array(jax.devices()), ("data",))
second_slice = Mesh(np.array(jax.devices()[4:]), ("data",))
params_sharding = NamedSharding(second_slice, P("data"))


def init_params():
    return jnp.zeros((8, 16))


with set_mesh(mesh):
    params = jax.jit(
        init_params, out_shardings=params_sharding
    )()
print("params on", len(params.devices()), params.sharding.spec)

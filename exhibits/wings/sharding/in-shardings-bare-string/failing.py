import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))


def total_loss(losses):
    return jnp.sum(losses)


total_loss = jax.jit(
    total_loss,
    in_shardings="data",
    out_shardings=NamedSharding(mesh, P()),
)

print("loss", total_loss(jnp.arange(8.0)))

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.shard_map import shard_map
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))


def mean_loss(losses):
    return jax.lax.pmean(losses.mean(), "data")


losses = jnp.arange(32.0)
loss = shard_map(
    mean_loss, mesh=mesh, in_specs=P("data"), out_specs=P()
)(losses)
print("loss", loss)

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))


def predict(params, batch):
    return batch @ params


predict = jax.jit(
    predict,
    in_shardings=(P(), P("data")),
    out_shardings=P("data"),
)

logits = predict(jnp.ones((16, 4)), jnp.ones((8, 16)))
print("shard", logits.sharding.shard_shape(logits.shape))

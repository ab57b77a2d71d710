import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
replicated = NamedSharding(mesh, P())
by_row = NamedSharding(mesh, P("data"))


def predict(kernel, batch):
    return batch @ kernel


predict = jax.jit(
    predict,
    in_shardings=(replicated, by_row),
    out_shardings=(by_row,),
)

logits = predict(jnp.ones((16, 4)), jnp.ones((8, 16)))
print("shard", logits.sharding.shard_shape(logits.shape))

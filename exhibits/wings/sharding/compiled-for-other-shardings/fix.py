import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
replicated = NamedSharding(mesh, P())
by_row = NamedSharding(mesh, P("data"))


@jax.jit
def predict(kernel, batch):
    return batch @ kernel


kernel = jax.device_put(jnp.ones((16, 4)), replicated)
warmup = jax.device_put(jnp.zeros((8, 16)), by_row)
compiled = predict.lower(kernel, warmup).compile()

request = jax.device_put(jnp.ones((8, 16)), by_row)
logits = compiled(kernel, request)
print("logits", logits.sharding.shard_shape(logits.shape))

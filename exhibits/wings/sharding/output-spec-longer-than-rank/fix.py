from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
activations = NamedSharding(mesh, P("data", None, None))


@partial(jax.jit, out_shardings=NamedSharding(mesh, P("data")))
def next_token_logits(hidden, kernel):
    return hidden[:, -1] @ kernel


hidden = jnp.ones((16, 12, 32))
hidden = jax.device_put(hidden, activations)
logits = next_token_logits(hidden, jnp.ones((32, 64)))
shard = logits.addressable_shards[0].data.shape
print("logits", logits.shape, "shard", shard)

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("model",))
by_columns = NamedSharding(mesh, P(None, "model"))

params = jax.device_put(np.ones((16, 8)), by_columns)


@jax.jit
def predict(params, tokens):
    return tokens @ params


logits = predict(params, np.ones((2, 16)))
shard = logits.sharding.shard_shape(logits.shape)
print("logits", logits.shape, "shard", shard)

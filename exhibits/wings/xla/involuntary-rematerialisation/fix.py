import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("data", "model"))
by_feature = NamedSharding(mesh, P("model", None, "data"))
halfway = NamedSharding(mesh, P("model", "data", None))
by_token = NamedSharding(mesh, P(None, ("data", "model"), None))


@jax.jit
def attend(hidden):
    hidden = hidden * 2.0
    hidden = jax.lax.with_sharding_constraint(hidden, halfway)
    return jax.lax.with_sharding_constraint(hidden, by_token)


hidden = jax.device_put(jnp.ones((8, 16, 4)), by_feature)
hlo = attend.lower(hidden).compile().as_text()
print("all-gather", hlo.count(" all-gather("))
print("all-to-all", hlo.count(" all-to-all("))
print("permute", hlo.count(" collective-permute("))

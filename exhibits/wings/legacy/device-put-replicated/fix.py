import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

params = {"kernel": jnp.ones((4, 2)), "bias": jnp.zeros(2)}
batch = jnp.ones((8, 16, 4))

mesh = Mesh(np.array(jax.devices()), ("replica",))
params = jax.device_put(
    jax.tree.map(lambda x: jnp.stack([x] * mesh.size), params),
    NamedSharding(mesh, P("replica")),
)


@jax.pmap
def predict(params, images):
    return images @ params["kernel"] + params["bias"]


print("kernel", params["kernel"].shape)
print("logits", predict(params, batch).shape)

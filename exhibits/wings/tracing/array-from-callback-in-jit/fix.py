import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("vocab",))
rows = NamedSharding(mesh, P("vocab"))
checkpoint = np.ones((64, 16), np.float32)


def load_rows(index):
    return jnp.asarray(checkpoint[index], jnp.bfloat16)


@jax.jit
def init(key, embedding):
    head = jax.random.normal(key, (16, 4))
    return {"embedding": embedding, "head": head}


embedding = jax.make_array_from_callback(
    checkpoint.shape, rows, load_rows
)
params = init(jax.random.key(0), embedding)
print("embedding", params["embedding"].sharding.spec)

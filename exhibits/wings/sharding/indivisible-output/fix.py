import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("model",))
by_vocab = NamedSharding(mesh, P("model", None))

vocab_size = 50257
parts = mesh.shape["model"]
padded_size = -(-vocab_size // parts) * parts


def init_embedding(key):
    return jax.random.normal(key, (padded_size, 4))


init_embedding = jax.jit(init_embedding, out_shardings=by_vocab)

embedding = init_embedding(jax.random.key(0))
shard_shape = embedding.sharding.shard_shape(embedding.shape)
print("embedding", embedding.shape, "shard", shard_shape)

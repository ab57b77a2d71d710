import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

explicit = (AxisType.Explicit, AxisType.Explicit)
mesh = jax.make_mesh(
    (4, 2), ("data", "model"), axis_types=explicit
)
jax.sharding.set_mesh(mesh)

table = jax.device_put(jnp.ones((64, 16)), P(None, "model"))
tokens = jax.device_put(jnp.ones((8, 4), int), P("data"))


@jax.jit
def embed(table, tokens):
    vector_spec = P("data", None, "model")
    return table.at[tokens].get(out_sharding=vector_spec)


vectors = embed(table, tokens)
print("vectors", jax.typeof(vectors))

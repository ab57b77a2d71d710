import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

try:
    from jax import set_mesh
except ImportError:  # JAX 0.6
    from jax.sharding import use_mesh as set_mesh

explicit = (AxisType.Explicit, AxisType.Explicit)
train_mesh = jax.make_mesh(
    (4, 2), ("data", "model"), axis_types=explicit
)
serve_mesh = jax.make_mesh(
    (8,), ("batch",), axis_types=explicit[:1]
)

with set_mesh(train_mesh):
    kernel = jax.device_put(jnp.ones((16, 8)), P(None, "model"))


@jax.jit
def serve(kernel, requests):
    return requests @ kernel


with set_mesh(serve_mesh):
    requests = jax.device_put(jnp.ones((8, 16)), P("batch"))
    answers = serve(kernel, requests)
print("answers", jax.typeof(answers))

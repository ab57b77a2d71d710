import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

explicit = (AxisType.Explicit, AxisType.Explicit)
mesh = jax.make_mesh(
    (4, 2), ("data", "model"), axis_types=explicit
)
jax.sharding.set_mesh(mesh)

activations = jax.device_put(jnp.ones((8, 16)), P("data"))
errors = jax.device_put(jnp.ones((8, 4)), P("data"))


@jax.jit
def kernel_grad(activations, errors):
    return jnp.dot(
        activations.T, errors, out_sharding=P("data", None)
    )


grad = kernel_grad(activations, errors)
print("grad", jax.typeof(grad), "sum", float(grad.sum()))

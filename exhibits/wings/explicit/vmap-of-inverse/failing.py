import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

mesh = jax.make_mesh(
    (8,), ("data",), axis_types=(AxisType.Explicit,)
)
jax.set_mesh(mesh)

scales = jnp.arange(1.0, 17.0)[:, None, None]
covariances = jax.device_put(scales * jnp.eye(3), P("data"))

precisions = jax.vmap(jnp.linalg.inv)(covariances)
print("precisions", jax.typeof(precisions), precisions.sum())

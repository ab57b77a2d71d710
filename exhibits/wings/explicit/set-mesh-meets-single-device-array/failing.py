import jax
import jax.numpy as jnp
from jax.sharding import AxisType

try:
    from jax import set_mesh
except ImportError:  # JAX 0.6
    from jax.sharding import use_mesh as set_mesh

mesh = jax.make_mesh(
    (8,), ("data",), axis_types=(AxisType.Explicit,)
)
loss_scale = jax.device_put(1024.0, jax.devices()[0])

with set_mesh(mesh):
    loss_scale = jnp.expand_dims(loss_scale, 0)
print("loss scale", loss_scale, len(loss_scale.devices()))

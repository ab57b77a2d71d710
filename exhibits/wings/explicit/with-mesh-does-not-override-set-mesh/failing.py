import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh

try:
    from jax import set_mesh
except ImportError:  # JAX 0.6
    from jax.sharding import use_mesh as set_mesh

mesh = jax.make_mesh(
    (8,), ("data",), axis_types=(AxisType.Explicit,)
)
one_device = Mesh(np.array(jax.devices()[:1]), ("host",))
metrics = jax.device_put(jnp.arange(4.0), jax.devices()[0])

with set_mesh(mesh):
    with one_device:
        average = jnp.mean(metrics)
print("average", average, len(average.devices()))

import jax
import jax.numpy as jnp
from jax.experimental import mesh_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = mesh_utils.create_device_mesh(
    (2, 2), devices=jax.devices()[:4]
)
mesh = Mesh(devices, ("data", "model"))

batch = jax.device_put(
    jnp.ones((16, 32)), NamedSharding(mesh, P("data"))
)
ids = sorted(device.id for device in batch.devices())
print("mesh", dict(mesh.shape), "batch on devices", ids)

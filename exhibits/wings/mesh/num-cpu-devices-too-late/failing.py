import jax
import numpy as np
from jax.sharding import Mesh

print("running on", jax.default_backend())

jax.config.update("jax_num_cpu_devices", 8)
mesh = Mesh(np.array(jax.devices()), ("data",))
print("mesh", dict(mesh.shape))

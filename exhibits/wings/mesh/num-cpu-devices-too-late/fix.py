import jax
import numpy as np
from jax.sharding import Mesh

jax.config.update("jax_num_cpu_devices", 8)

print("running on", jax.default_backend())

mesh = Mesh(np.array(jax.devices()), ("data",))
print("mesh", dict(mesh.shape))

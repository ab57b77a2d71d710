import jax
import numpy as np
from jax.sharding import Mesh

tensor_parallel = 16
data_parallel = jax.device_count() // tensor_parallel

devices = np.array(jax.devices()).reshape(
    data_parallel, tensor_parallel
)
mesh = Mesh(devices, ("data", "tensor"))
print("mesh", dict(mesh.shape))

import jax
import numpy as np
from jax.sharding import Mesh

devices = np.array(jax.devices()).reshape(4, 2)
mesh = Mesh(devices, ("model", "data"))

for axis, group in (
    ("model", mesh.devices[:, 0]),
    ("data", mesh.devices[0]),
):
    hosts = [int(device.process_index) for device in group]
    print("hosts along", axis, hosts)

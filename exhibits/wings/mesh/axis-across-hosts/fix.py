import jax
import numpy as np
from jax.sharding import Mesh

devices = np.array(jax.devices()).reshape(2, 4)
mesh = Mesh(devices, ("data", "model"))

for axis, group in (
    ("model", mesh.devices[0]),
    ("data", mesh.devices[:, 0]),
):
    hosts = [int(device.process_index) for device in group]
    print("hosts along", axis, hosts)

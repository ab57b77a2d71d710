import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))
kernel = jnp.ones((16, 4))
kernel = jax.device_put(kernel, NamedSharding(mesh, P()))


def load_images(device):
    images = np.ones((8, 16), np.float32)
    return jax.device_put(images, device)


@jax.jit
def forward(kernel, images):
    return images @ kernel


images = load_images(jax.devices()[0])
logits = forward(kernel, images)
print("logits", logits.shape, "on", len(logits.devices()))

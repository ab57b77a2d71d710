import jax

config = {"data": 4, "model": 4}
config["data"] = jax.device_count() // config["model"]

mesh = jax.make_mesh(tuple(config.values()), tuple(config))
print("mesh", dict(mesh.shape))

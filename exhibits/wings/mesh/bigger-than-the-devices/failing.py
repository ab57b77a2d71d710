import jax

config = {"data": 4, "model": 4}

mesh = jax.make_mesh(tuple(config.values()), tuple(config))
print("mesh", dict(mesh.shape))

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

auto = (AxisType.Auto, AxisType.Auto)
mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=auto)
hidden_sharding = NamedSharding(mesh, P("data", "model"))


@jax.jit
def forward(params, batch):
    hidden = jnp.tanh(batch @ params)
    return jax.lax.with_sharding_constraint(
        hidden, hidden_sharding
    )


hidden = forward(jnp.ones((16, 32)), jnp.ones((8, 16)))
print("hidden", hidden.shape, hidden.sharding.spec)

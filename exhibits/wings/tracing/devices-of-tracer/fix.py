import jax
import jax.numpy as jnp


def fused_softmax(logits):  # stands for an accelerator kernel
    weights = jax.nn.softmax(logits.astype(jnp.bfloat16))
    return weights.astype(logits.dtype)


@jax.jit
def attention_weights(logits):
    return jax.lax.platform_dependent(
        logits, cpu=jax.nn.softmax, default=fused_softmax
    )


weights = attention_weights(jnp.arange(8.0))
print("largest weight", weights.max())

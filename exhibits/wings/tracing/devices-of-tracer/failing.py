import jax
import jax.numpy as jnp


def fused_softmax(logits):  # stands for an accelerator kernel
    weights = jax.nn.softmax(logits.astype(jnp.bfloat16))
    return weights.astype(logits.dtype)


@jax.jit
def attention_weights(logits):
    device, *_ = logits.devices()
    if device.platform == "cpu":
        return jax.nn.softmax(logits)
    return fused_softmax(logits)


weights = attention_weights(jnp.arange(8.0))
print("largest weight", weights.max())

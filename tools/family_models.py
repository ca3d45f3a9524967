"""Small random models of each family that rfs imports, made by `transformers`, for tools/check_hf and tools/golden_families.py."""

import torch
import transformers as tf

SIZES = dict(vocab_size=29, hidden_size=24, num_hidden_layers=4, num_attention_heads=4, intermediate_size=20,
             max_position_embeddings=32, eos_token_id=3, bos_token_id=2, pad_token_id=None)
LLAMA3 = dict(rope_type="llama3", rope_theta=10000.0, factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=128)
YARN = dict(rope_type="yarn", rope_theta=10000.0, factor=4.0, original_max_position_embeddings=16)
LINEAR = dict(rope_type="linear", rope_theta=10000.0, factor=2.0)


def rope(theta, **others):
    return dict(rope_type="default", rope_theta=theta, **others)


MODELS = {
    "llama": lambda: tf.LlamaConfig(**SIZES, num_key_value_heads=2, rope_parameters=rope(5e5), rms_norm_eps=1e-5),
    "llama-tied": lambda: tf.LlamaConfig(**SIZES, head_dim=8, tie_word_embeddings=True, attention_bias=True, mlp_bias=True),
    "llama3": lambda: tf.LlamaConfig(**SIZES, num_key_value_heads=2, rope_parameters=LLAMA3),
    "llama-yarn": lambda: tf.LlamaConfig(**SIZES, rope_parameters=YARN),
    "llama-linear": lambda: tf.LlamaConfig(**SIZES, rope_parameters=LINEAR),
    "mistral": lambda: tf.MistralConfig(**SIZES, num_key_value_heads=2, head_dim=8, sliding_window=5),
    "qwen2": lambda: tf.Qwen2Config(**SIZES, num_key_value_heads=2, rope_parameters=rope(1e6)),
    "qwen2-window": lambda: tf.Qwen2Config(**SIZES, num_key_value_heads=2, use_sliding_window=True, sliding_window=6,
                                           max_window_layers=2),
    "qwen3": lambda: tf.Qwen3Config(**SIZES, num_key_value_heads=2, head_dim=8, rope_parameters=rope(1e6)),
    "smollm3": lambda: tf.SmolLM3Config(**SIZES, num_key_value_heads=2),
    "pythia": lambda: tf.GPTNeoXConfig(**SIZES, rope_parameters=rope(10000.0, partial_rotary_factor=1 / 3)),
    "neox": lambda: tf.GPTNeoXConfig(**SIZES, hidden_act="gelu_new", use_parallel_residual=False, tie_word_embeddings=True,
                                     rope_parameters=rope(10000.0, partial_rotary_factor=2 / 3)),
    "gpt2": lambda: tf.GPT2Config(vocab_size=29, n_embd=24, n_layer=4, n_head=4, n_positions=32, n_inner=20, eos_token_id=3, bos_token_id=2),
}


def make(name, folder, dtype=torch.float32, shard="5GB"):
    """Saves the model with random weights that are large enough for each of them to affect the logits, and returns it."""
    model = tf.AutoModelForCausalLM.from_config(MODELS[name](), attn_implementation="eager").eval()
    generator = torch.Generator().manual_seed(8)
    with torch.no_grad():
        for weight_name, weight in model.named_parameters():
            is_scale = "norm" in weight_name and weight_name.endswith("weight") or ".ln_" in weight_name and weight_name.endswith("weight")
            weight.copy_((1.0 if is_scale else 0.0) + 0.2 * torch.randn(weight.shape, generator=generator))
    model.to(dtype).save_pretrained(folder, max_shard_size=shard)
    # Read again: `to` also rounds RoPE's frequencies.
    return tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()

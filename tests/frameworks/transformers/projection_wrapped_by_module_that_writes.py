"""LlamaAttention's o_proj is wrapped by a module that keeps its input and writes it."""

import torch
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM


class Steer(nn.Module):
    def __init__(self, inside, vector):
        super().__init__()
        self.inside = inside
        self.register_buffer("vector", vector)

    def forward(self, hidden):
        out = self.inside(hidden)
        hidden += self.vector  # error: IP101
        return out


model = LlamaForCausalLM(
    LlamaConfig(
        vocab_size=20,
        hidden_size=8,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=16,
    )
)
for layer in model.model.layers:
    layer.self_attn.o_proj = Steer(layer.self_attn.o_proj, torch.randn(8))
ids = torch.randint(0, 20, (1, 5))
model(ids, labels=ids).loss.backward()

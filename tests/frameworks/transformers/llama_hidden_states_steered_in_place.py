"""A forward hook adds a steering vector in place to a decoder layer's output and then normalises it with itself, which keeps the tensor that it writes."""

import torch
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=16,
    intermediate_size=16,
    num_hidden_layers=2,
    num_attention_heads=2,
    num_key_value_heads=2,
    vocab_size=50,
    max_position_embeddings=32,
)
model = LlamaForCausalLM(config).requires_grad_(False)
steering = nn.Parameter(torch.zeros(config.hidden_size))


def steer(module, args, output):
    hidden = output[0] if isinstance(output, tuple) else output
    norm = hidden.norm(dim=-1, keepdim=True)
    hidden += steering
    hidden *= norm / hidden.norm(dim=-1, keepdim=True)  # error: IP101


handle = model.model.layers[0].register_forward_hook(steer)
optimizer = torch.optim.Adam([steering], lr=1e-2)
for _ in range(2):
    input_ids = torch.randint(0, 50, (1, 5))
    loss = model(input_ids=input_ids, labels=input_ids).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
handle.remove()

"""The key-value cache of a chunk is computed anew without gradients before the next one, so each backward stays within its own graph."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    hidden_size=16,
    intermediate_size=16,
    num_hidden_layers=1,
    num_attention_heads=2,
    num_key_value_heads=1,
    vocab_size=50,
    max_position_embeddings=32,
)
model = LlamaForCausalLM(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
document = torch.randint(0, 50, (1, 12))

past_key_values = None
for chunk in document.split(6, dim=1):
    outputs = model(input_ids=chunk, labels=chunk, past_key_values=past_key_values, use_cache=False)
    optimizer.zero_grad()
    outputs.loss.backward()
    optimizer.step()
    with torch.no_grad():
        past_key_values = model(input_ids=chunk, use_cache=True).past_key_values

"""Eager attention probabilities are sharpened in place."""

import torch
from transformers import BertConfig, BertModel

config = BertConfig(
    vocab_size=20,
    hidden_size=8,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=16,
    attn_implementation="eager",
)
model = BertModel(config)
out = model(torch.randint(0, 20, (2, 4)), output_attentions=True, return_dict=True)
last = out.attentions[-1]
last.pow_(2)  # error: IP101
loss = out.last_hidden_state.mean() + last.mean()
loss.backward()

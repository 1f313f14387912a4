"""Attention maps enter a loss, and copies of them are written."""

import torch
from transformers import BertConfig, BertForSequenceClassification

config = BertConfig(
    vocab_size=20,
    hidden_size=8,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=16,
    attn_implementation="eager",
)
model = BertForSequenceClassification(config)
out = model(torch.randint(0, 20, (2, 4)), labels=torch.tensor([0, 1]), output_attentions=True)
entropy = sum(-(maps * (maps + 1e-6).log()).sum(-1).mean() for maps in out.attentions)
shown = out.attentions[-1].detach().clone()
shown.mul_(255)
(out.loss + 0.01 * entropy).backward()

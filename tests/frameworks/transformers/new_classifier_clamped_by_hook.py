"""A classifier of the user's in place of the model's own; a hook writes what its sigmoid has saved."""

import torch
from torch import nn
from transformers import BertConfig, BertForSequenceClassification

config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)
model = BertForSequenceClassification(config)
model.classifier = nn.Sequential(nn.Linear(8, 8), nn.Sigmoid())
model.classifier[1].register_forward_hook(lambda module, args, output: output.clamp_(0.1, 0.9))  # error: IP101
model(torch.randint(0, 20, (2, 4))).logits.pow(2).sum().backward()

"""The pooled output is scaled out of place, so the result that tanh keeps stays as it was."""

import torch
from torch import nn
from transformers import BertConfig, BertModel


class PairScorer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.encoder = BertModel(config)
        self.temperature = 0.5
        self.head = nn.Linear(config.hidden_size, 2)

    def forward(self, input_ids, attention_mask=None):
        _, pooled = self.encoder(input_ids, attention_mask=attention_mask, return_dict=False)
        pooled = pooled / self.temperature
        return self.head(pooled)


config = BertConfig(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, vocab_size=50)
model = PairScorer(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

batches = [(torch.randint(0, 50, (2, 5)), torch.tensor([0, 1])) for _ in range(2)]
for input_ids, labels in batches:
    logits = model(input_ids, attention_mask=torch.ones_like(input_ids))
    loss = nn.functional.cross_entropy(logits, labels)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)

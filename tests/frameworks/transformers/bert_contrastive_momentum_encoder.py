"""The momentum copy of the encoder is updated between the forward and the backward, but it has taken part without gradients only, so torch accepts it."""

import copy

import torch
import torch.nn.functional as F
from transformers import BertConfig, BertModel

config = BertConfig(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, vocab_size=50)
encoder = BertModel(config)
momentum_encoder = copy.deepcopy(encoder).requires_grad_(False)
queue = F.normalize(torch.randn(8, config.hidden_size), dim=-1)
optimizer = torch.optim.AdamW(encoder.parameters(), lr=1e-3)

for step in range(2):
    input_ids = torch.randint(0, 50, (2, 5))
    query = F.normalize(encoder(input_ids)["pooler_output"], dim=-1)
    with torch.no_grad():
        key = F.normalize(momentum_encoder(input_ids)["pooler_output"], dim=-1)
        for slow, fast in zip(momentum_encoder.parameters(), encoder.parameters()):
            slow.data.mul_(0.99).add_(fast.data, alpha=0.01)

    positive = (query * key).sum(dim=-1, keepdim=True)
    negative = query @ queue.clone().T
    logits = torch.cat([positive, negative], dim=1)
    logits /= 0.07
    loss = F.cross_entropy(logits, torch.zeros(2, dtype=torch.long))

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    queue[2 * step : 2 * step + 2] = key

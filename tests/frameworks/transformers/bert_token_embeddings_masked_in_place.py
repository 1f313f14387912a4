"""The last hidden state is zeroed at padding in place after its square entered the loss, so torch finds it changed when backward needs it."""

import torch
from transformers import BertConfig, BertModel

config = BertConfig(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, vocab_size=50)
model = BertModel(config, add_pooling_layer=False)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)
model.train()

for _ in range(2):
    input_ids = torch.randint(0, config.vocab_size, (2, 6))
    attention_mask = torch.ones(2, 6, dtype=torch.long)
    attention_mask[1, 4:] = 0

    outputs = model(input_ids=input_ids, attention_mask=attention_mask)
    hidden = outputs.last_hidden_state
    penalty = hidden.pow(2).mean()
    hidden.masked_fill_(attention_mask.unsqueeze(-1) == 0, 0.0)  # error: IP101
    pooled = hidden.sum(dim=1) / attention_mask.sum(dim=1, keepdim=True)
    loss = pooled.mean() + 0.01 * penalty

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

"""After `resize_token_embeddings` the new row of the weight is set with grad mode on, and a row of a leaf that requires grad must not be written."""

import torch
from transformers import GPT2Config, GPT2LMHeadModel

config = GPT2Config(n_embd=16, n_layer=1, n_head=2, vocab_size=50, n_positions=16, bos_token_id=0, eos_token_id=0)
model = GPT2LMHeadModel(config)
model.resize_token_embeddings(51, mean_resizing=False)

weight = model.get_input_embeddings().weight
weight[-1] = weight[:-1].mean(dim=0)  # error: IP202

optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
input_ids = torch.randint(0, 51, (2, 6))
model(input_ids, labels=input_ids).loss.backward()
optimizer.step()

"""After `resize_token_embeddings` the new row is set through `weight.data` before any forward, and only its gradient survives a masking hook, so nothing is lost."""

import torch
from transformers import GPT2Config, GPT2LMHeadModel

config = GPT2Config(n_embd=16, n_layer=1, n_head=2, vocab_size=50, n_positions=16, bos_token_id=0, eos_token_id=0)
model = GPT2LMHeadModel(config)
model.resize_token_embeddings(51, mean_resizing=False)

weight = model.get_input_embeddings().weight
weight.data[-1] = weight.data[:-1].mean(dim=0)


def only_new_token(grad):
    grad = grad.clone()
    grad[:-1] = 0
    return grad


weight.register_hook(only_new_token)
optimizer = torch.optim.AdamW([weight], lr=1e-4)
for _ in range(2):
    input_ids = torch.randint(0, 51, (2, 6))
    model(input_ids, labels=input_ids).loss.backward()
    optimizer.step()
    model.zero_grad()

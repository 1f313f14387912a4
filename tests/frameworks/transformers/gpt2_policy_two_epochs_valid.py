"""The policy scores the tokens anew in every inner epoch and the old log-probabilities are without gradients, so each backward meets fresh weights."""

import torch
from transformers import GPT2Config, GPT2LMHeadModel

config = GPT2Config(n_embd=16, n_layer=1, n_head=2, vocab_size=50, n_positions=16, bos_token_id=0, eos_token_id=0)
policy = GPT2LMHeadModel(config)
optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-4)


def score(tokens):
    logits = policy(tokens[:, :-1]).logits
    return torch.log_softmax(logits, dim=-1).gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)


tokens = torch.randint(0, 50, (2, 6))
advantages = torch.randn(2, 1)
advantages -= advantages.mean()
with torch.no_grad():
    old_log_probs = score(tokens)

for epoch in range(2):
    ratio = (score(tokens) - old_log_probs).exp()
    unclipped = ratio * advantages
    clipped = ratio.clamp(0.8, 1.2) * advantages
    loss = -torch.min(unclipped, clipped).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

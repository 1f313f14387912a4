"""The model's own loss has shifted and softmaxed the logits already, and cross entropy keeps the softmax and not the logits, so masking them afterwards is fine."""

import torch
from transformers import GPT2Config, GPT2LMHeadModel

config = GPT2Config(n_embd=16, n_layer=1, n_head=2, vocab_size=50, n_positions=16, bos_token_id=0, eos_token_id=0)
model = GPT2LMHeadModel(config)
model.train()
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0 / (step + 1))

for step in range(2):
    batch = {"input_ids": torch.randint(0, 50, (2, 8))}
    batch["labels"] = batch["input_ids"].clone()
    batch["labels"][:, :2] = -100

    outputs = model(**batch)
    outputs.logits[..., 40:] = float("-inf")
    predictions = outputs.logits.argmax(dim=-1)

    outputs.loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    optimizer.zero_grad()

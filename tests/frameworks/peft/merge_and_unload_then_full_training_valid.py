"""`merge_and_unload` returns the plain base network with merged frozen weights, which then train as usual once they require grad again."""

import torch
from peft import LoraConfig, get_peft_model
from torch import nn

base = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 2))
model = get_peft_model(base, LoraConfig(r=2, target_modules=["0", "2"], init_lora_weights="gaussian"))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
x, y = torch.randn(4, 8), torch.randint(0, 2, (4,))

nn.functional.cross_entropy(model(x), y).backward()
optimizer.step()

merged = model.merge_and_unload()
merged.requires_grad_(True)
optimizer = torch.optim.SGD(merged.parameters(), lr=1e-2)
for _ in range(2):
    logits = merged(x)
    logits -= logits.mean(dim=-1, keepdim=True)
    loss = nn.functional.cross_entropy(logits, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

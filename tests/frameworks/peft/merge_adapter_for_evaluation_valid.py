"""The adapter is merged for evaluation and unmerged again after the optimizer step, when no graph waits for the frozen weights."""

import torch
from peft import LoraConfig, get_peft_model
from torch import nn

base = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 2))
model = get_peft_model(base, LoraConfig(r=2, target_modules=["0", "2"], init_lora_weights=False))
optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=1e-2)

for _ in range(2):
    x, y = torch.randn(4, 8), torch.randint(0, 2, (4,))
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    model.merge_adapter()
    with torch.no_grad():
        accuracy = (model(x).argmax(dim=-1) == y).float().mean()
    model.unmerge_adapter()

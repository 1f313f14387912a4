"""`merge_adapter` adds the LoRA product to the frozen weights through `.data` between the forward that saved them and the backward, so torch says nothing and the gradients are wrong."""

import torch
from peft import LoraConfig, get_peft_model
from torch import nn

base = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 2))
model = get_peft_model(base, LoraConfig(r=2, target_modules=["0", "2"], init_lora_weights=False))
optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=1e-2)

for _ in range(2):
    x, y = torch.randn(4, 8), torch.randint(0, 2, (4,))
    loss = nn.functional.cross_entropy(model(x), y)

    model.merge_adapter()  # error: IP301
    with torch.no_grad():
        accuracy = (model(x).argmax(dim=-1) == y).float().mean()

    optimizer.zero_grad()
    loss.backward()
    model.unmerge_adapter()
    optimizer.step()

"""The columns of `lora_B` are renormalised under no_grad after each step, before the next forward saves them."""

import torch
from peft import LoraConfig, get_peft_model
from torch import nn

base = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
model = get_peft_model(base, LoraConfig(r=2, target_modules=["0"], init_lora_weights=False))
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=1e-2)

for _ in range(2):
    loss = model(torch.randn(4, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for module in model.modules():
            if hasattr(module, "lora_B"):
                weight = module.lora_B["default"].weight
                weight /= weight.norm(dim=0, keepdim=True)

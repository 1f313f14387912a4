"""The best adapter is loaded back when training has ended and no graph is waiting for the weights it writes."""

import torch
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
from torch import nn

base = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
model = get_peft_model(base, LoraConfig(r=2, target_modules=["0", "2"]))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)

best_loss, best_state = float("inf"), None
for step in range(3):
    x, y = torch.randn(4, 8), torch.randint(0, 2, (4,))
    loss = nn.functional.cross_entropy(model(x), y)
    if loss.item() < best_loss:
        best_loss = loss.item()
        best_state = {k: v.clone() for k, v in get_peft_model_state_dict(model).items()}
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

set_peft_model_state_dict(model, best_state)
model.eval()
with torch.no_grad():
    model(torch.randn(4, 8)).clamp_(min=0)

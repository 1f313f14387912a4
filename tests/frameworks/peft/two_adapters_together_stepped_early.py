"""Both adapters act in the forward, and the step of one comes before the second loss, whose graph has saved it, is walked."""

import torch
from peft import LoraConfig, get_peft_model
from torch import nn

base = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 2))
model = get_peft_model(base, LoraConfig(r=2, target_modules=["0", "2"]), adapter_name="style")
model.add_adapter("subject", LoraConfig(r=2, target_modules=["0", "2"]))
model.base_model.set_adapter(["style", "subject"])


def parameters_of(name):
    return [p for n, p in model.named_parameters() if f".{name}." in n]


style_optimizer = torch.optim.Adam(parameters_of("style"), lr=1e-2)
subject_optimizer = torch.optim.Adam(parameters_of("subject"), lr=1e-2)

x = torch.randn(4, 8)
output = model(x)
style_loss = output[:, 0].square().mean()
subject_loss = output[:, 1].square().mean()

style_loss.backward(retain_graph=True)
style_optimizer.step()  # error: IP102
style_optimizer.zero_grad()
subject_loss.backward()
subject_optimizer.step()

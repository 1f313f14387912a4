"""Two adapters are trained in turn on one frozen base; each optimizer steps only its own adapter, which the other's waiting graph has not saved."""

import torch
from peft import LoraConfig, get_peft_model
from torch import nn

base = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 2))
model = get_peft_model(base, LoraConfig(r=2, target_modules=["0", "2"]), adapter_name="french")
model.add_adapter("german", LoraConfig(r=2, target_modules=["0", "2"]))


def adapter_optimizer(name):
    model.set_adapter(name)
    return torch.optim.Adam([p for n, p in model.named_parameters() if f".{name}." in n], lr=1e-2)


optimizers = {name: adapter_optimizer(name) for name in ("french", "german")}
x, y = torch.randn(4, 8), torch.randint(0, 2, (4,))

model.set_adapter("french")
french_loss = nn.functional.cross_entropy(model(x), y)

model.set_adapter("german")
german_loss = nn.functional.cross_entropy(model(x), y)
german_loss.backward()
optimizers["german"].step()

model.set_adapter("french")
french_loss.backward()
optimizers["french"].step()

import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel


def validate(model, swa_model, x):
    saved = {k: v.clone() for k, v in model.state_dict().items()}
    model.load_state_dict(swa_model.module.state_dict())  # error: IP102
    with torch.no_grad():
        score = model(x).mean().item()
    model.load_state_dict(saved)  # error: IP102
    return score


model = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
swa_model = AveragedModel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scheduler = SWALR(optimizer, swa_lr=0.01)
data = [(torch.randn(5, 3), torch.randn(5, 1)) for _ in range(3)]
for x, y in data:
    loss = nn.functional.mse_loss(model(x), y)
    print(validate(model, swa_model, x))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    swa_model.update_parameters(model)
    scheduler.step()

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

model = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1))
params = {name: p.detach() for name, p in model.named_parameters()}


def loss_fn(params, x, y):
    prediction = functional_call(model, params, (x.unsqueeze(0),)).squeeze(0)
    return (prediction - y).pow(2).mean()


x, y = torch.randn(5, 3), torch.randn(5, 1)
grads = vmap(grad(loss_fn), in_dims=(None, 0, 0))(params, x, y)
for name, p in model.named_parameters():
    p.sub_(0.1 * grads[name].mean(0))  # error: IP201

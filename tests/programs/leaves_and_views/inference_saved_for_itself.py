import torch

with torch.inference_mode():
    w8 = torch.rand(3, requires_grad=True)
v = torch.rand(3, requires_grad=True) * 2
i = torch.arange(3)
try:
    v.index_add(0, i, w8)  # error: IP206
except RuntimeError:
    pass
try:
    v.clone().index_add_(0, i, w8)  # error: IP206
except RuntimeError:
    pass
try:
    v * w8  # error: IP206
except RuntimeError:
    pass
try:
    v.clone().mul_(w8)  # error: IP206
except RuntimeError:
    pass

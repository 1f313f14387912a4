"""An inference tensor is written after the mode: refused with or without gradients."""

import torch


@torch.inference_mode()
def scores():
    return torch.ones(3)


found = scores()
try:
    found.mul_(2)  # error: IP206
except RuntimeError as error:
    print(error)
with torch.no_grad():
    found[0] = 5  # error: IP206

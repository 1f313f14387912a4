"""out= writes an inference tensor outside the mode."""

import torch

with torch.inference_mode():
    scores = torch.rand(3)
    torch.sigmoid(scores, out=scores)
torch.sigmoid(scores, out=scores)  # error: IP206

"""`as_tensor` shares the memory of the array, `tensor` copies it."""

import numpy as np
import torch

w = torch.rand(3, requires_grad=True)
batch = np.ones(3, dtype=np.float32)
loss = (w * torch.as_tensor(batch)).sum()
batch[:] = 0  # error: IP301
loss.backward()

"""`torch.as_tensor` shares the array's memory, and refilling the array goes round torch's version counter after the product has kept it."""

import numpy as np
import torch
from torch import nn

scale = nn.Parameter(torch.ones(3))
array = np.ones(3, dtype=np.float32)
weights = torch.as_tensor(data=array)
loss = torch.mul(input=scale, other=weights).sum()
array[:] = 5.0  # error: IP301
torch.autograd.backward(tensors=loss)

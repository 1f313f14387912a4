"""Writes to a numpy array are seen by nobody."""

import numpy as np
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
array = y.detach().numpy()
array *= 2  # error: IP301
y.sum().backward()

y = x.exp()
copied = y.detach().numpy().copy()
copied *= 2
y.sum().backward()

source = np.ones(3, dtype=np.float32)
factor = torch.from_numpy(source)
product = x * factor
source[1] = 5  # error: IP301
product.sum().backward()

source = np.ones(3, dtype=np.float32)
factor = torch.tensor(source)
product = x * factor
source[1] = 5
product.sum().backward()

"""An operator that writes in place makes a new tensor where the other operand is an array of numpy."""

import warnings

import numpy as np
import torch

warnings.simplefilter("ignore", DeprecationWarning)  # of numpy, about `__array_wrap__`
w = torch.rand(3, requires_grad=True)

x = torch.rand(3)
y = (x * w).sum()
x += np.ones(3, dtype=np.float32)
y.backward()

x = torch.rand(3)
y = (x * w).sum()
x *= np.arange(3, dtype=np.float32)
y.backward()

x = torch.rand(3)
y = (x * w).sum()
x += np.float32(1)  # error: IP101
y.backward()

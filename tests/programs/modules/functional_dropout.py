"""The functional form, by position and by keyword."""

import torch
import torch.nn.functional as F

x = torch.rand(4, requires_grad=True)
y = x.tanh()
F.dropout(y, 0.5, True, True)  # error: IP101
y.sum().backward()

y = x.tanh()
F.dropout(y, p=0.5, training=False, inplace=True)
y.sum().backward()

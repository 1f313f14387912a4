"""`torch.Tensor(x)` of a tensor is a view of it, of an array of its type it has the same memory; others are copies."""

import numpy as np
import torch

lin = torch.nn.Linear(4, 4)

x = torch.randn(2, 4)
out = lin(x)
torch.Tensor(x).zero_()  # error: IP101
out.sum().backward()

h = lin(torch.randn(2, 4))
out = h.exp()
same = torch.FloatTensor(out)
same += 1  # error: IP101
out.sum().backward()

x = torch.randn(2, 4)
out = lin(x)
torch.Tensor(x.numpy()).zero_()  # error: IP301
out.sum().backward()

x = torch.randn(2, 4)
out = lin(x)
torch.tensor(x.numpy()).zero_()
torch.Tensor(x.numpy().astype(np.float64)).zero_()
torch.Tensor(2, 4).zero_()
out.sum().backward()

values = np.ones((2, 4))
out = lin(torch.Tensor(values))
values += 1
out.sum().backward()

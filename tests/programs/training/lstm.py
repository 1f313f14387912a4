"""An LSTM's output may be written on the CPU only if nobody has kept it."""

import torch
from torch import nn

rnn = nn.GRU(2, 3)
out, hidden = rnn(torch.rand(4, 1, 2))
out.sum().backward()

x = torch.rand(4, 1, 2)
out, hidden = rnn(x)
x.zero_()  # error: IP101
out.sum().backward()

"""cross_entropy with probabilities keeps the targets; the logits are free in both cases."""

import torch
import torch.nn.functional as F

w = torch.rand(2, 3, requires_grad=True)
logits, wanted = w * 2, torch.softmax(torch.rand(2, 3), -1)
loss = F.cross_entropy(logits, wanted)
logits.add_(1)
loss.backward()

logits, wanted = w * 2, torch.softmax(torch.rand(2, 3), -1)
loss = F.cross_entropy(logits, wanted)
wanted.mul_(0.5)  # error: IP101
loss.backward()

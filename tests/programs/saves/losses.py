"""What losses keep: mse its input and target, cross entropy with indices only the target."""

import torch
import torch.nn.functional as F

w = torch.rand(4, 3, requires_grad=True)
target = torch.rand(4, 3)
guess = w * 2
loss = F.mse_loss(guess, target)
target.zero_()  # error: IP101
loss.backward()

guess = w * 2
loss = F.mse_loss(guess, torch.rand(4, 3))
guess.add_(1)  # error: IP101
loss.backward()

logits = w * 2
labels = torch.tensor([0, 1, 2, 0])
loss = F.cross_entropy(logits, labels)
logits.add_(1)
loss.backward()

logits = w * 2
loss = F.cross_entropy(logits, labels)
labels.zero_()  # error: IP101
loss.backward()

guess = w * 2
loss = F.l1_loss(guess, torch.rand(4, 3))
guess.add_(1)
loss.backward()

guess = w.sigmoid() * 0.5
loss = F.binary_cross_entropy(guess, torch.ones(4, 3))
guess.mul_(0.5)  # error: IP101
loss.backward()

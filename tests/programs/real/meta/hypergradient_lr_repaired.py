"""The update makes new weights."""

import torch

log_lr = torch.tensor(-2.0, requires_grad=True)
w0 = torch.randn(5)
A, y = torch.randn(8, 5), torch.randn(8)

w = w0.clone().requires_grad_(True)
train_loss = ((A @ w - y) ** 2).mean() + 0.1 * (w**4).sum()
(g,) = torch.autograd.grad(train_loss, w, create_graph=True)
w_new = w - log_lr.exp() * g
val_loss = ((A @ w_new - y) ** 2).mean()
val_loss.backward()

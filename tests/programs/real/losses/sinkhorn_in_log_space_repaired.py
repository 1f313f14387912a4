"""Every step makes a new matrix."""

import torch


def sinkhorn(log_alpha, n_iters=3):
    for _ in range(n_iters):
        log_alpha = log_alpha - torch.logsumexp(log_alpha, 1, keepdim=True)
        log_alpha = log_alpha - torch.logsumexp(log_alpha, 0, keepdim=True)
    return log_alpha.exp()


w = torch.randn(4, 4, requires_grad=True)
perm = sinkhorn(w / 0.5)
(perm * torch.eye(4)).sum().backward()

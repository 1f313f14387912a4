"""The rows are kept in lists."""

import torch


def thomas(a, b, c, d):
    """Solve a tridiagonal system."""
    n = d.numel()
    cp, dp = [c[0] / b[0]], [d[0] / b[0]]
    for i in range(1, n):
        m = b[i] - a[i] * cp[-1]
        cp.append(c[i] / m)
        dp.append((d[i] - a[i] * dp[-1]) / m)
    x = [dp[-1]]
    for i in reversed(range(n - 1)):
        x.insert(0, dp[i] - cp[i] * x[0])
    return torch.stack(x)


coef = [torch.rand(4, requires_grad=True) for _ in range(4)]
a, b, c, d = coef
thomas(a, b + 3, c, d).sum().backward()

"""The Thomas algorithm writes rows that the next row was computed from."""

import torch


def thomas(a, b, c, d):
    """Solve a tridiagonal system."""
    n = d.numel()
    cp, dp = c.clone(), d.clone()
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m  # error: IP101
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m  # error: IP101
    x = torch.zeros(n)
    x[-1] = dp[-1]
    for i in reversed(range(n - 1)):
        x[i] = dp[i] - cp[i] * x[i + 1]  # error: IP101
    return x


coef = [torch.rand(4, requires_grad=True) for _ in range(4)]
a, b, c, d = coef
thomas(a, b + 3, c, d).sum().backward()

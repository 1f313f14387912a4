import torch


def pairwise(x, y):
    return (x[:, None] - y[None]).pow(2).sum(-1)


def softmin(values, gamma):
    return -gamma * torch.logsumexp(torch.stack(values) / -gamma, 0)


def soft_dtw(x, y, gamma=0.1):
    d = pairwise(x, y)
    n, m = d.shape
    r = torch.full((n + 1, m + 1), 1e6)
    r[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            best = softmin([r[i - 1, j - 1], r[i - 1, j], r[i, j - 1]], gamma)
            r[i, j] = d[i - 1, j - 1] * (1 + best.sigmoid()) + best
    return r[n, m]


def edit_distance_like(x, y):
    d = pairwise(x, y)
    row = torch.zeros(y.shape[0] + 1)
    for i in range(x.shape[0]):
        prev = row.clone()
        for j in range(y.shape[0]):
            row[j + 1] = d[i, j] * torch.exp(-prev[j]) + row[j]
    return row[-1]


query = torch.randn(3, 2, requires_grad=True)
prototype = torch.randn(4, 2)
for step in range(2):
    loss = soft_dtw(query, prototype) + edit_distance_like(query, prototype)
    loss.backward()
    with torch.no_grad():
        query -= 0.1 * query.grad
    query.grad.zero_()

import torch

w = torch.rand(3, requires_grad=True)
table = {}
for i in range(2):
    for j in range(2):
        if (i, j - 1) in table:
            table[i, j] = table[i, j - 1] * w
        else:
            table[i, j] = w.exp()
for (i, j), entry in table.items():
    if j == 0:
        entry.mul_(2)  # error: IP101
    else:
        entry.add_(1)
table.update([((2, 0), w.sigmoid())])
table[2, 0].add_(1)  # error: IP101
rows = sorted(i for i, _ in table)
assert rows.index(2) == 4 and rows.count(0) == 2
sum(entry.sum() for entry in table.values()).backward()

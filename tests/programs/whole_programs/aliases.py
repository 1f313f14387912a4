"""Who shares memory and who shares the counter."""

import torch

x = torch.ones(3, requires_grad=True)
y = x * 2
d = y.detach()
d += 1
(y**2).sum().backward()

y = (x * 2) ** 1
z = y.pow(3)
d = y.detach()
d.add_(1)  # error: IP101
try:
    z.sum().backward()
except RuntimeError as e:
    print(e)

y = x * 2
z = y.log()
a = y.detach().numpy()
a += 5  # error: IP301
z.sum().backward()

y = x * 2
z = y.log()
with torch.no_grad():
    y.add_(1)  # error: IP101
try:
    z.sum().backward()
except RuntimeError as e:
    print(e)

y = x * 3
z = y.view(3, 1)
s = y.sin()
z.zero_()  # error: IP101
try:
    s.sum().backward()
except RuntimeError as e:
    print(e)

b = torch.zeros(3)
p = x * b
b += 1  # error: IP101
try:
    p.sum().backward()
except RuntimeError as e:
    print(e)

q = x + b
b += 1
q.sum().backward()

l = []
h = x * 1
for _ in range(3):
    h = h.tanh()
    l.append(h)
l[0].data.fill_(0)  # error: IP301
torch.stack(l).sum().backward()

k = x * 1
m = k.matmul(torch.ones(3))
k *= 2
m.backward()

t = torch.arange(3.0)
f = F = (x * t).sum()
t.resize_(3)
f.backward()

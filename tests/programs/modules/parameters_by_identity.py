import torch
from torch import nn

net = nn.ModuleDict({"body": nn.Linear(3, 4), "head": nn.Linear(4, 2)})
of_head = list(map(id, net["head"].parameters()))
of_body = filter(lambda p: id(p) not in of_head, net.parameters())
body = torch.optim.SGD(of_body, lr=0.1)
head = torch.optim.SGD([p for p in net.parameters() if id(p) in of_head], lr=0.1)

features = torch.tanh(net["body"](torch.randn(5, 3)))
first, second = net["head"](features).mean(0)
first.backward(retain_graph=True)
body.step()
head.step()  # error: IP102
second.backward()

import copy
from collections import OrderedDict

import torch
from torch import nn


class Client:
    def __init__(self, cid, model, data):
        self.cid, self.model, self.data = cid, copy.deepcopy(model), data
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def local_loss(self):
        x, y = self.data
        return nn.functional.cross_entropy(self.model(x), y)

    def train(self, epochs=1):
        for _ in range(epochs):
            self.opt.zero_grad()
            self.local_loss().backward()
            self.opt.step()
        return self.model.state_dict(), len(self.data[0])


class Server:
    def __init__(self, model):
        self.model = model

    def aggregate(self, updates):
        total = sum(n for _, n in updates)
        avg = OrderedDict((k, torch.zeros_like(v)) for k, v in self.model.state_dict().items())
        for state, n in updates:
            for k in avg:
                avg[k] += state[k] * (n / total)
        self.model.load_state_dict(avg)
        return avg


net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
server = Server(net)
clients = [Client(i, net, (torch.randn(4, 3), torch.randint(2, (4,)))) for i in range(2)]
for rnd in range(2):
    updates = [c.train() for c in clients]
    prox = [c.local_loss() for c in clients]
    avg = server.aggregate(updates)
    for c, loss in zip(clients, prox):
        loss.backward()
        c.model.load_state_dict(avg)

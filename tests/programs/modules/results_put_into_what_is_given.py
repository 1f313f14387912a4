"""Networks that put their results into the dict, the list or the record that they were given: the caller finds them
there and walks back. What a training step puts there is a record of what it has done."""

import types

import torch
from torch import nn
from torch.nn import functional as F

run = eval("lambda network, *given: network(*given)")
walk = eval("lambda result: result.sum().backward()")


class Votes(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 4)
        self.score = nn.Linear(4, 2)

    def forward(self, points):
        features = F.relu(self.hidden(points["seeds"]))
        features += 1  # error: IP101
        return decode(self.score(features), points)


def decode(scores, points):
    points["scores"] = scores
    return points


class Level(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 4)

    def forward(self, x, levels):
        level = torch.sigmoid(self.hidden(x))
        level *= 2  # error: IP101
        levels.append(level)


class Merged(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 4)

    def forward(self, batch):
        features = torch.tanh(self.hidden(batch["x"]))
        features[:, 0] = 0  # error: IP101
        batch.update({"features": features})


class Noted(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 4)

    def forward(self, sample):
        features = self.hidden(sample.x).exp()
        features.clamp_(max=3)  # error: IP101
        sample.features = features


class Copied(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 4)

    def forward(self, points):
        kept = F.relu(self.hidden(points["seeds"]))
        features = kept + 1
        features += 1
        points["scores"] = features
        points["shown"] = kept.detach()
        return points


def train(network, x, optimizer, logs):
    loss = network(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    logs["loss"] = loss
    logs["history"].append(loss)


walk(run(Votes(), {"seeds": torch.rand(3, 4)})["scores"])
levels = []
run(Level(), torch.rand(3, 4), levels)
walk(levels[0])
batch = {"x": torch.rand(3, 4)}
run(Merged(), batch)
walk(batch["features"])
sample = types.SimpleNamespace(x=torch.rand(3, 4))
run(Noted(), sample)
walk(sample.features)
walk(run(Copied(), {"seeds": torch.rand(3, 4)})["scores"])
plain = nn.Linear(4, 1)
run(train, plain, torch.rand(3, 4), torch.optim.SGD(plain.parameters(), lr=0.1), {"history": []})

# Two tests of one pass come out alike: what is computed when one holds is there when the other does.
import torch
from torch import nn, optim


class Schedule:
    def __init__(self, every, start):
        self.every = every
        self.start = start


class Training:
    def __init__(self, schedule: Schedule):
        self.net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
        self.optimizer = optim.SGD(self.net.parameters(), lr=0.1)
        self.schedule = schedule
        self.done = 0

    def by_attribute(self, batches):
        for batch in batches:
            if self.done % self.schedule.every == 0:
                penalty = self.net(batch).sum()
            if self.done % self.schedule.every == 0:
                penalty.backward()
                self.optimizer.step()
            self.done += 1

    def by_counter(self, batches):
        step = 0
        for batch in batches:
            step += 1
            if step % self.schedule.every == 0:
                penalty = self.net(batch).sum()
            if step % self.schedule.every == 0:
                penalty.backward()
                self.optimizer.step()

    def by_number(self, batches, every):
        for number, batch in enumerate(batches):
            if (number + 1) % every == 0 or number + 1 == len(batches):
                penalty = self.net(batch).sum()
            if (number + 1) % every == 0 or number + 1 == len(batches):
                penalty.backward()
                self.optimizer.step()

    def by_opposite(self, batches, every):
        for number, batch in enumerate(batches):
            if number // every > 0:
                penalty = self.net(batch).sum()
            if not number // every > 0:
                continue
            penalty.backward()
            self.optimizer.step()

    def by_method(self, batches):
        for batch in batches:
            if self.is_due():
                penalty = self.net(batch).sum()
            if self.is_due():
                penalty.backward()
                self.optimizer.step()
            self.done += 1

    def is_due(self):
        return self.done % self.schedule.every == self.schedule.start


def by_another_test(net, optimizer, batches, every, other):
    for number, batch in enumerate(batches):
        if number % every == 0:
            penalty = net(batch).sum()
        if number % other == 0:
            penalty.backward()  # error: IP103
            optimizer.step()


training = Training(Schedule(2, 0))
data = [torch.rand(4, 3) for _ in range(6)]
training.by_attribute(data)
training.by_counter(data)
training.by_number(data, 4)
training.by_opposite(data, 2)
training.by_method(data)
try:
    by_another_test(training.net, training.optimizer, data, 4, 2)
except RuntimeError:
    pass

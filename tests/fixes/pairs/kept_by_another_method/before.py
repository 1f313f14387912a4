import torch
from torch import nn


class Game:
    def __init__(self):
        self.maker = nn.Linear(3, 4)
        self.judge = nn.Sequential(nn.Linear(5, 4), nn.Tanh(), nn.Linear(4, 1))
        self.opt_maker = torch.optim.SGD(self.maker.parameters(), lr=0.1)
        self.opt_judge = torch.optim.SGD(self.judge.parameters(), lr=0.1)

    def forward(self, noise, label):
        self.label = label
        self.made = self.maker(noise)
        self.score = self.judge(torch.cat([self.made, label], 1))

    def update(self):
        self.opt_judge.zero_grad()
        self.score.mean().backward(retain_graph=True)
        self.opt_judge.step()
        self.opt_maker.zero_grad()
        (-self.score.mean()).backward()
        self.opt_maker.step()


torch.manual_seed(0)
game = Game()
for _ in range(2):
    game.forward(torch.randn(5, 3), torch.rand(5, 1))
    game.update()

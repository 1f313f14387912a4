import torch
import torch.nn.functional as F
from torch import nn
from torch.nn import Parameter


class GCNConv(nn.Module):
    def __init__(self, in_ch, out_ch):
        super().__init__()
        self.weight = Parameter(torch.empty(in_ch, out_ch))
        self.bias = Parameter(torch.zeros(out_ch))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.xavier_uniform_(self.weight)
        nn.init.zeros_(self.bias)

    def forward(self, x, edge_index, edge_weight):
        src, dst = edge_index[0], edge_index[1]
        x = x @ self.weight
        deg = torch.zeros(x.size(0)).index_add_(0, dst, edge_weight)
        deg_inv = deg.pow(-0.5)
        deg_inv.masked_fill_(deg_inv == float("inf"), 0)
        norm = deg_inv[src] * edge_weight * deg_inv[dst]
        out = torch.zeros_like(x)
        out.index_add_(0, dst, norm.view(-1, 1) * x[src])
        out += self.bias
        return out


class GCN(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = GCNConv(3, 8), GCNConv(8, 2)
        self.edge_logits = Parameter(torch.zeros(4))

    def forward(self, x, edge_index):
        w = torch.sigmoid(self.edge_logits)
        x = F.relu(self.conv1(x, edge_index, w))
        x = F.dropout(x, training=self.training)
        return F.log_softmax(self.conv2(x, edge_index, w), dim=1)


model = GCN()
edge_index = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(2):
    model.train()
    optimizer.zero_grad()
    out = model(torch.randn(4, 3), edge_index)
    F.nll_loss(out[:2], torch.tensor([0, 1])).backward()
    optimizer.step()

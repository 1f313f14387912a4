import torch


def lorenz(state, sigma, rho, beta):
    x, y, z = state.unbind(-1)
    return torch.stack([sigma * (y - x), x * (rho - z) - y, x * y - beta * z], -1)


def integrate(params, x0, steps, dt=0.01):
    traj = torch.zeros(steps, 3)
    traj[0] = x0
    for n in range(1, steps):
        traj[n] = traj[n - 1] + dt * lorenz(traj[n - 1], *params)  # error: IP101
    return traj


params = torch.tensor([9.0, 27.0, 2.0], requires_grad=True)
truth = integrate(torch.tensor([10.0, 28.0, 8 / 3]), torch.ones(3), 5).detach()
optimizer = torch.optim.Adam([params], lr=0.1)
history = {"loss": [], "params": []}
for epoch in range(2):
    optimizer.zero_grad()
    loss = torch.mean((integrate(params, torch.ones(3), 5) - truth) ** 2)
    loss.backward()
    optimizer.step()
    history["loss"].append(loss.item())
    history["params"].append(params.detach().clone().numpy())

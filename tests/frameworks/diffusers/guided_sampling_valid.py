"""Guidance by gradients: latents are detached, require grad, and are updated out of place; the scheduler steps."""

import torch
from diffusers import DDIMScheduler, DPMSolverMultistepScheduler, EulerDiscreteScheduler
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.SiLU(), nn.Linear(8, 4)).requires_grad_(False)
for cls in (DDIMScheduler, EulerDiscreteScheduler, DPMSolverMultistepScheduler):
    sched = cls(num_train_timesteps=50)
    sched.set_timesteps(3)
    x = torch.randn(2, 4) * sched.init_noise_sigma
    for t in sched.timesteps:
        x = x.detach().requires_grad_(True)
        eps = net(sched.scale_model_input(x, t))
        loss = (x - 0.1 * eps).pow(2).mean()
        (grad,) = torch.autograd.grad(loss, x)
        eps = eps.detach()
        eps.add_(grad, alpha=0.1)
        x = sched.step(eps, t, x.detach()).prev_sample
        x.clamp_(-3, 3)

import torch
from torch import nn
from torch.distributions import Categorical, kl_divergence
from torch.nn.utils import parameters_to_vector, vector_to_parameters


class TRPO:
    def __init__(self):
        self.pi = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 2))

    def surrogate(self, s, a, adv, old):
        return (torch.exp(Categorical(logits=self.pi(s)).log_prob(a) - old) * adv).mean()

    def update(self, s, a, adv):
        with torch.no_grad():
            old = Categorical(logits=self.pi(s)).log_prob(a)
        gain = self.surrogate(s, a, adv, old)
        theta = parameters_to_vector(self.pi.parameters()).detach()
        direction = torch.randn_like(theta)
        for k in range(3):
            vector_to_parameters(theta + 0.5**k * 0.1 * direction, self.pi.parameters())
            with torch.no_grad():
                if self.surrogate(s, a, adv, old) > 0:
                    break
        grads = torch.autograd.grad(gain, self.pi.parameters())
        return sum(g.norm() for g in grads)


agent = TRPO()
print(agent.update(torch.randn(6, 3), torch.randint(0, 2, (6,)), torch.randn(6)))

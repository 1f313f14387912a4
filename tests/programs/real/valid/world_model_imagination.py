import torch
from torch import nn
from torch.distributions import Normal, kl_divergence


class RSSM(nn.Module):
    def __init__(self, stoch=2, deter=4, act=1):
        super().__init__()
        self.cell = nn.GRUCell(stoch + act, deter)
        self.prior, self.post = nn.Linear(deter, 2 * stoch), nn.Linear(deter + 3, 2 * stoch)
        self.stoch, self.deter = stoch, deter

    def dist(self, h):
        mean, std = h.chunk(2, -1)
        return Normal(mean, nn.functional.softplus(std) + 0.1)

    def observe(self, embeds, actions):
        h = embeds.new_zeros(embeds.shape[1], self.deter)
        s = embeds.new_zeros(embeds.shape[1], self.stoch)
        kls, states = [], []
        for e, a in zip(embeds, actions):
            h = self.cell(torch.cat([s, a], -1), h)
            prior, post = self.dist(self.prior(h)), self.dist(self.post(torch.cat([h, e], -1)))
            s = post.rsample()
            kls.append(kl_divergence(post, prior).sum(-1))
            states.append(torch.cat([h, s], -1))
        return torch.stack(states), torch.stack(kls)


model, decoder = RSSM(), nn.Linear(6, 3)
actor = nn.Linear(6, 1)
model_opt = torch.optim.Adam([*model.parameters(), *decoder.parameters()], lr=6e-4)
actor_opt = torch.optim.Adam(actor.parameters(), lr=8e-5)
for _ in range(2):
    obs = torch.randn(3, 2, 3)
    states, kl = model.observe(obs, torch.randn(3, 2, 1))
    loss = (decoder(states) - obs).pow(2).mean() + kl.clamp(min=1.0).mean()
    model_opt.zero_grad()
    loss.backward()
    model_opt.step()
    state = states.detach().flatten(0, 1)
    h, s = state.split([4, 2], -1)
    returns = torch.zeros(state.shape[0])
    for t in range(2):
        a = torch.tanh(actor(torch.cat([h, s], -1)))
        h = model.cell(torch.cat([s, a], -1), h)
        s = model.dist(model.prior(h)).rsample()
        returns += 0.9**t * decoder(torch.cat([h, s], -1)).mean(-1)
    actor_opt.zero_grad()
    (-returns.mean()).backward()
    actor_opt.step()

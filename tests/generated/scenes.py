# ruff: noqa: E501  (a choice stands on one line)
"""Training steps as people write them, with networks that come from somewhere: right, and wrong in the usual ways.

In a scene's text `#G` is the network `G`, `#G_opt` its optimizer, `#h` a value that steps hand on; the rest is as in
templates. What only the hidden class decides (whether an activation ends a network) is left alone: the networks end in
linear layers, and keep what goes in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

REFERENCE = re.compile(r"#(\w+)")


@dataclass(frozen=True, slots=True)
class Scene:
    """A step, and what there is before the first one."""

    networks: dict[str, str]
    step: str
    trained: tuple[str, ...] = ()
    state: dict[str, str] = field(default_factory=dict)
    setup: str = ""
    before: str = ""
    imports: tuple[str, ...] = ()
    steps: tuple[str, ...] = ("1", "2", "2", "3")

    def names(self) -> list[str]:
        """What the text refers to."""
        return [*self.networks, *(f"{name}_opt" for name in self.trained), *self.state]

    def lines(self, names: dict[str, str]) -> list[str]:
        """The step's statements."""
        return self.filled(names, self.step)

    def begin(self, names: dict[str, str]) -> list[str]:
        """What is done once, when the networks are there."""
        state = (f"#{name} = {value}" for name, value in self.state.items())
        return self.filled(names, "\n".join([self.setup.strip("\n"), *state]))

    def filled(self, names: dict[str, str], text: str) -> list[str]:
        """The lines of a text with the names that things have in the program."""
        return REFERENCE.sub(lambda match: names[match[1]], text.strip("\n")).splitlines()


_X = "x = torch.rand(4, 3)"

ADVERSARIAL = [
    # the critic first, on what the generator made
    Scene(
        {"G": "generator", "D": "critic"},
        """
real, z = torch.rand(4, 3), torch.randn(4, 3)
fake = #G(z)
d_loss = #D(fake<<.detach() || .detach() || >>).mean() - #D(real).mean()
#D_opt.zero_grad()
d_loss.backward(<< || || retain_graph=True>>)
#D_opt.step()
<<pass || for p in #D.parameters(): p.data.clamp_(-0.1, 0.1) || for p in #D.parameters(): p.data = p.data.clamp(-0.1, 0.1)>>
g_loss = -#D(<<fake || fake || #G(z) || fake * 1>>).mean()
#G_opt.zero_grad()
g_loss.backward()
#G_opt.step()
""",
        trained=("G", "D"),
    ),
    # both losses, then both walks
    Scene(
        {"G": "generator", "D": "critic"},
        """
fake = #G(torch.randn(4, 3))
g_loss = F.binary_cross_entropy_with_logits(#D(fake), torch.ones(4, 1))
d_real = F.binary_cross_entropy_with_logits(#D(torch.rand(4, 3)), torch.ones(4, 1))
d_fake = F.binary_cross_entropy_with_logits(#D(fake.detach()), torch.zeros(4, 1))
d_loss = <<(d_real + d_fake) / 2 || d_real + d_fake>>
<<#D_opt.zero_grad(); d_loss.backward(); #D_opt.step() || #G_opt.zero_grad(); g_loss.backward(); #G_opt.step()>>
<<#G_opt.zero_grad(); g_loss.backward(); #G_opt.step() || pass || #D_opt.zero_grad(); d_loss.backward(); #D_opt.step()>>
""",
        trained=("G", "D"),
        steps=("1", "1", "2"),
    ),
    # walks first, steps last
    Scene(
        {"gen": "generator", "disc": "critic"},
        """
noise, images = torch.randn(4, 3), torch.rand(4, 3)
generated = #gen(noise)
errD = F.softplus(-#disc(images)).mean() + F.softplus(#disc(generated<<.detach() || >>)).mean()
errG = F.softplus(-#disc(generated)).mean()
#disc_opt.zero_grad()
errD.backward(<<retain_graph=True || >>)
<<#gen_opt.zero_grad() || #disc_opt.step(); #gen_opt.zero_grad() || pass>>
errG.backward()
#disc_opt.step()
#gen_opt.step()
""",
        trained=("gen", "disc"),
    ),
    # a penalty on the critic's gradients
    Scene(
        {"G": "generator", "D": "critic"},
        """
real = torch.rand(4, 3)
with torch.no_grad(): fake = #G(torch.randn(4, 3))
<<fake.clamp_(0, 1) || fake += 0.1 || pass>>
alpha = torch.rand(4, 1)
mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
score = #D(mixed)
grad = torch.autograd.grad(score.sum(), mixed, create_graph=<<True || True || False>>)[0]
penalty = ((grad.norm(2, dim=1) - 1) ** 2).mean()
<<pass || grad.zero_() || grad.mul_(0.5) || grad.detach().clone().mul_(2)>>
d_loss = #D(fake).mean() - #D(real).mean() + 10 * penalty
#D_opt.zero_grad()
d_loss.backward()
#D_opt.step()
<<pass || d_loss.backward() || #D(real).mean().backward()>>
""",
        trained=("D",),
    ),
    # one loss is computed once and used for all critic steps
    Scene(
        {"G": "generator", "critic": "critic"},
        """
real = torch.rand(4, 3)
<<fake = #G(torch.randn(4, 3)).detach() || fake = #G(torch.randn(4, 3))>>
for _ in range(2):
    loss = #critic(fake).mean() - #critic(real).mean()
    #critic_opt.zero_grad()
    loss.backward(<< || || retain_graph=True>>)
    #critic_opt.step()
    with torch.no_grad():
        for p in #critic.parameters():
            p.clamp_(-0.05, 0.05)
#G_opt.zero_grad()
(-#critic(#G(torch.randn(4, 3)))).mean().backward()
#G_opt.step()
""",
        trained=("G", "critic"),
        steps=("1", "2"),
    ),
    # two ways between two domains
    Scene(
        {"AB": "generator", "BA": "generator", "D": "critic"},
        """
a, b = torch.rand(4, 3), torch.rand(4, 3)
fake_b = #AB(a)
back = #BA(fake_b)
cycle = F.l1_loss(back, a)
fool = F.mse_loss(#D(fake_b), torch.ones(4, 1))
loss = fool + 10 * cycle
<<#gen_opt.zero_grad(); loss.backward(); #gen_opt.step() || pass>>
d_loss = (#D(b) - 1).pow(2).mean() + #D(fake_b<<.detach() || .detach() || >>).pow(2).mean()
#D_opt.zero_grad()
<<d_loss.backward() || d_loss.backward() || d_loss.backward(retain_graph=True)>>
<<#D_opt.step() || pass>>
<<pass || fool.backward() || #gen_opt.zero_grad(); (fool + cycle).backward(); #gen_opt.step()>>
""",
        trained=("D",),
        state={"gen_opt": "torch.optim.Adam(itertools.chain(#AB.parameters(), #BA.parameters()), lr=0.01)"},
        imports=("import itertools",),
    ),
    # features that must not tell where they come from
    Scene(
        {"encoder": "encoder", "classifier": "head", "domain": "head"},
        """
source, target = torch.rand(4, 3), torch.rand(4, 3)
features = #encoder(torch.cat([source, target]))
<<pass || features = F.relu(features) || features += 0.1 || features.div_(features.detach().norm(dim=1, keepdim=True))>>
task = F.cross_entropy(#classifier(features[:4]), torch.zeros(4, dtype=torch.long))
which = torch.tensor([0] * 4 + [1] * 4)
told = F.cross_entropy(#domain(features<<.detach() || >>), which)
<<pass || pass || features.mul_(2) || features = features * 2>>
for opt in (#encoder_opt, #classifier_opt, #domain_opt): opt.zero_grad()
<<told.backward(); #domain_opt.step() || told.backward(retain_graph=True) || (told + task).backward(); task = None>>
if task is not None:
    task = task - F.cross_entropy(#domain(features), which)
    task.backward()
#encoder_opt.step()
#classifier_opt.step()
""",
        trained=("encoder", "classifier", "domain"),
    ),
]

REINFORCED = [
    # an actor, a critic and its target
    Scene(
        {"actor": "actor", "critic": "critic", "target": "critic"},
        """
s, r, s2 = torch.rand(4, 3), torch.rand(4, 1), torch.rand(4, 3)
<<with torch.no_grad(): y = r + 0.9 * #target(s2) || y = r + 0.9 * #target(s2).detach() || y = r + 0.9 * #target(s2)>>
q = #critic(s)
critic_loss = F.mse_loss(q, y)
<<actor_loss = -#critic(#actor(s)).mean() || actor_loss = None>>
#critic_opt.zero_grad()
critic_loss.backward()
#critic_opt.step()
if actor_loss is None:
    actor_loss = -#critic(#actor(s)).mean()
#actor_opt.zero_grad()
actor_loss.backward()
#actor_opt.step()
for p, t in zip(#critic.parameters(), #target.parameters()):
    <<t.data.copy_(0.1 * p.data + 0.9 * t.data) || t.data.mul_(0.9); t.data.add_(0.1 * p.data) || t.data = 0.1 * p.data + 0.9 * t.data || with torch.no_grad(): t.lerp_(p, 0.1)>>
""",
        trained=("actor", "critic"),
        setup="#target.load_state_dict(#critic.state_dict())",
    ),
    # two critics, a temperature
    Scene(
        {"policy": "actor", "q": "twin"},
        """
s = torch.rand(4, 3)
a = #policy(s)
<<a = torch.tanh(a) || a.tanh_() || pass>>
q1, q2 = #q(s)
q_loss = F.mse_loss(q1, torch.rand(4, 1)) + F.mse_loss(q2, torch.rand(4, 1))
p1, p2 = #q(a)
pi_loss = (#log_alpha.exp().detach() * a.mean(1, keepdim=True) - torch.min(p1, p2)).mean()
alpha_loss = -(#log_alpha * <<a.detach() || a>>.mean()).mean()
<<#policy_opt.zero_grad(); pi_loss.backward(<< || retain_graph=True>>); #policy_opt.step() || #q_opt.zero_grad(); q_loss.backward(); #q_opt.step()>>
<<#alpha_opt.zero_grad(); alpha_loss.backward(); #alpha_opt.step() || pass>>
<<#q_opt.zero_grad(); q_loss.backward(); #q_opt.step() || pass || #policy_opt.zero_grad(); pi_loss.backward(); #policy_opt.step()>>
""",
        trained=("policy", "q"),
        state={
            "log_alpha": "torch.zeros(1, requires_grad=True)",
            "alpha_opt": "torch.optim.Adam([#log_alpha], lr=0.01)",
        },
        steps=("1", "2"),
    ),
    # policy gradient from what an episode left in lists
    Scene(
        {"policy": "policy"},
        """
for _ in range(3):
    logits = #policy(torch.rand(1, 3))
    <<pass || logits[:, 0] = -1e9 || logits.clamp_(-5, 5) || logits /= 2>>
    dist = torch.distributions.Categorical(<<logits=logits || F.softmax(logits, dim=-1)>>)
    #saved.append(dist.log_prob(dist.sample()))
rewards = torch.rand(3)
<<rewards = (rewards - rewards.mean()) / rewards.std() || rewards -= rewards.mean()>>
loss = torch.stack([-p * r for p, r in zip(#saved[-3:], rewards)]).sum()
#policy_opt.zero_grad()
loss.backward()
#policy_opt.step()
<<del #saved[:] || #saved.clear() || pass>>
""",
        trained=("policy",),
        state={"saved": "[]"},
    ),
    Scene(
        {"policy": "policy"},
        """
for _ in range(2):
    probs = F.softmax(#policy(torch.rand(1, 3)), dim=-1)
    <<pass || pass || probs.clamp_(min=1e-6) || probs += 1e-8 || probs = probs + 1e-8>>
    #kept.append(torch.log(probs[0, 0]))
loss = -sum(#kept)
#policy_opt.zero_grad()
loss.backward(<< || || retain_graph=True>>)
#policy_opt.step()
<<#kept = [] || #kept.clear() || #kept = [k.detach() for k in #kept] || pass>>
""",
        trained=("policy",),
        state={"kept": "[]"},
    ),
    # one network with two heads
    Scene(
        {"net": "actor_critic"},
        """
x = torch.rand(4, 3)
logits, value = #net(x)
returns = torch.rand(4, 1)
advantage = returns - value<< || .detach()>>
log_probs = F.log_softmax(logits, dim=-1)
<<pass || advantage -= advantage.mean() || advantage /= advantage.std() || log_probs[:, 0] = 0 || log_probs += 0>>
actor_loss = -(log_probs[:, :1] * advantage<<.detach() || >>).mean()
critic_loss = advantage.pow(2).mean() if advantage.requires_grad else F.mse_loss(value, returns)
#net_opt.zero_grad()
<<(actor_loss + 0.5 * critic_loss).backward() || actor_loss.backward(retain_graph=True); critic_loss.backward() || actor_loss.backward(); critic_loss.backward()>>
<<nn.utils.clip_grad_norm_(#net.parameters(), 0.5) || pass>>
#net_opt.step()
""",
        trained=("net",),
    ),
    # several epochs over what was collected once
    Scene(
        {"actor": "policy", "critic": "critic"},
        """
obs = torch.rand(4, 3)
<<with torch.no_grad(): old = F.log_softmax(#actor(obs), -1) || old = F.log_softmax(#actor(obs), -1) || old = F.log_softmax(#actor(obs), -1).detach()>>
values = #critic(obs)<<.detach() || >>
for epoch in range(2):
    new = F.log_softmax(#actor(obs), -1)
    ratio = (new - old).exp()
    <<advantage = 1 - values || advantage = (1 - values).detach()>>
    loss = -torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
    #actor_opt.zero_grad()
    loss.backward()
    #actor_opt.step()
    value_loss = (#critic(obs) - 1).pow(2).mean()
    #critic_opt.zero_grad()
    value_loss.backward()
    #critic_opt.step()
""",
        trained=("actor", "critic"),
        steps=("1",),
    ),
    # values of actions, with targets put into zeros
    Scene(
        {"policy_net": "policy", "target_net": "policy"},
        """
state, action, mask = torch.rand(4, 3), torch.tensor([[0], [1], [0], [1]]), torch.tensor([True, False, True, True])
q = #policy_net(state)
chosen = q.gather(1, action)
after = torch.zeros(4)
<<with torch.no_grad(): after[mask] = #target_net(torch.rand(3, 3)).max(1)[0] || after[mask] = #target_net(torch.rand(3, 3)).max(1).values.detach() || after[mask] = #target_net(torch.rand(3, 3)).max(1)[0]>>
wanted = after * 0.9 + torch.rand(4)
<<pass || wanted[~mask] = 0 || after[~mask] = 0 || q[~mask] = 0 || chosen[~mask] = 0>>
loss = F.smooth_l1_loss(chosen, wanted.unsqueeze(1))
<<pass || pass || pass || q.zero_() || chosen.add_(1) || wanted.add_(1)>>
#policy_net_opt.zero_grad()
loss.backward()
for p in #policy_net.parameters():
    p.grad.data.clamp_(-1, 1)
#policy_net_opt.step()
<<#target_net.load_state_dict(#policy_net.state_dict()) || pass>>
""",
        trained=("policy_net",),
    ),
    # networks that bring their optimizer along
    Scene(
        {"actor": "actor", "critic": "critic"},
        """
state = torch.rand(4, 3)
value = #critic(state)
loss = (value - torch.rand(4, 1)).pow(2).mean()
actor_loss = -#critic(#actor(state)).mean()
#critic.optimizer.zero_grad()
loss.backward()
#critic.optimizer.step()
<<actor_loss = -#critic(#actor(state)).mean() || actor_loss = actor_loss + #actor(state).pow(2).mean() || pass>>
#actor.optimizer.zero_grad()
actor_loss.backward()
#actor.optimizer.step()
""",
        setup="""
#actor.optimizer = torch.optim.Adam(#actor.parameters(), lr=0.01)
#critic.optimizer = torch.optim.Adam(#critic.parameters(), lr=0.01)
""",
    ),
    # the same in another order
    Scene(
        {"actor": "actor", "critic": "critic"},
        """
obs = torch.rand(4, 3)
pi_loss = -#critic(#actor(obs)).mean()
v_loss = #critic(obs).pow(2).mean()
<<$update(#actor_opt, pi_loss); $update(#critic_opt, v_loss) || $update(#critic_opt, v_loss); $update(#actor_opt, pi_loss)>>
""",
        trained=("actor", "critic"),
        before="""
def $update(optimizer, loss, retain=<<False || True>>):
    optimizer.zero_grad()
    loss.backward(retain_graph=retain)
    optimizer.step()
""",
    ),
]

RECURRENT = [
    # a state that goes on from step to step
    Scene(
        {"cell": "recurrent", "head": "head"},
        """
x = torch.rand(3, 3)
#h = #cell(x, #h<< || .detach() || .detach()>>)
<<pass || #h *= torch.tensor([[1.0], [0.0], [1.0]]) || #h = #h * torch.tensor([[1.0], [0.0], [1.0]]) || #h[1] = 0>>
loss = #head(#h).pow(2).mean()
<<pass || pass || #h.zero_() || #h[0] = 0>>
#cell_opt.zero_grad()
loss.backward(<< || || retain_graph=True>>)
#cell_opt.step()
<<#h = #h.detach() || pass || #h.detach_()>>
""",
        trained=("cell", "head"),
        state={"h": "torch.zeros(3, 4)"},
        steps=("2", "3"),
    ),
    # truncated: several inputs between two walks
    Scene(
        {"cell": "recurrent"},
        """
loss = 0
for t in range(3):
    #h = #cell(torch.rand(3, 3), #h)
    <<pass || pass || #h.mul_(0.9) || #h = #h * 0.9>>
    loss = loss + #h.<<mean() || pow(2).mean() || sum()>>
#cell_opt.zero_grad()
loss.backward()
#cell_opt.step()
<<#h = #h.detach() || #h = #h.data || #h = #h.detach().clone() || pass || #h = torch.zeros_like(#h)>>
""",
        trained=("cell",),
        state={"h": "torch.zeros(3, 4)"},
        steps=("1", "2", "3"),
    ),
    # an output and a state
    Scene(
        {"rnn": "sequence"},
        """
x, y = torch.rand(3, 5, 3), torch.zeros(3, 5, dtype=torch.long)
out, #hidden = #rnn(x, #hidden)
<<pass || out[:, 0] = 0 || out.masked_fill_(y.bool().unsqueeze(-1), 0) || out = F.dropout(out, 0.1)>>
loss = F.cross_entropy(out.reshape(-1, 2), y.reshape(-1))
#rnn_opt.zero_grad()
loss.backward()
#rnn_opt.step()
<<#hidden = #hidden.detach() || #hidden.detach_() || pass || #hidden = None>>
""",
        trained=("rnn",),
        state={"hidden": "None"},
        steps=("2", "3"),
    ),
    # states collected in a buffer
    Scene(
        {"cell": "recurrent", "head": "head"},
        """
<<states = torch.zeros(4, 2, 4) || states = [torch.zeros(2, 4)] * 4>>
h = torch.zeros(2, 4)
for t in range(4):
    h = #cell(torch.rand(2, 3), <<h || states[t - 1] if t else h || h>>)
    states[t] = <<h || h.clone()>>
loss = sum(#head(s).mean() for s in states)
<<pass || pass || h.zero_() || states[0][0] = 0>>
#cell_opt.zero_grad()
loss.backward()
#cell_opt.step()
#head_opt.step()
""",
        trained=("cell", "head"),
        steps=("1",),
    ),
]

SUPERVISED = [
    # the usual loop
    Scene(
        {"net": "policy"},
        """
x, y = torch.rand(4, 3), torch.zeros(4, dtype=torch.long)
<<pass || x += 0.1 || x.requires_grad_()>>
logits = #net(x)
<<pass || logits /= 2 || logits[:, 1] = 0 || logits.clamp_(-3, 3) || x.mul_(2) || logits = logits.relu_() || logits += logits.sigmoid()>>
loss = F.cross_entropy(logits, y)
<<pass || pass || logits.zero_() || x.add_(1) || x = x + 1 || y.fill_(1) || y = y + 1>>
#net_opt.zero_grad()
loss.backward()
#net_opt.step()
#losses.append(<<loss.item() || loss.detach() || loss>>)
<<pass || pass || #total = #total + loss || if len(#losses) > 1 and torch.is_tensor(#losses[0]) and #losses[0].requires_grad: #losses[0].backward()>>
""",
        trained=("net",),
        state={"losses": "[]", "total": "0"},
    ),
    # features written on
    Scene(
        {"encoder": "encoder", "head": "head"},
        """
x = torch.rand(4, 3)
h = #encoder(x)
<<h = torch.relu(h) || h = torch.tanh(h) || F.relu(h, inplace=True) || h = torch.sigmoid(h) || pass>>
<<pass || h += 1 || h *= 0.5 || h[h < 0] = 0 || h[:, 0] = 0 || h.add_(torch.randn_like(h))>>
out = #head(h)
<<pass || pass || h += 1 || h[0] = 0 || h.clamp_(0, 1) || h = h + 1 || out += 1 || out *= out || h.detach().add_(1) || h.clone().add_(1)>>
loss = <<out.pow(2).mean() || out.sum() || F.mse_loss(out, torch.rand(4, 2))>>
<<pass || pass || pass || h.zero_() || out.zero_()>>
<<#encoder_opt.zero_grad() || #head_opt.zero_grad()>>
loss.backward()
#encoder_opt.step()
#head_opt.step()
""",
        trained=("encoder", "head"),
    ),
    # normalised by hand
    Scene(
        {"encoder": "encoder"},
        """
z = #encoder(torch.rand(4, 3))
<<z = F.normalize(z, dim=1) || z /= z.norm(dim=1, keepdim=True) || z = z / z.norm(dim=1, keepdim=True) || norm = z.norm(dim=1, keepdim=True); z.div_(norm) || z.div_(z.detach().norm())>>
scores = z @ z.t()
<<pass || scores.fill_diagonal_(-1e9) || scores /= 0.1 || scores[torch.eye(4).bool()] = -1e9 || z.mul_(2)>>
probs = F.softmax(scores, dim=1)
<<pass || pass || probs[torch.eye(4).bool()] = 0 || probs.fill_diagonal_(0) || probs = probs * (1 - torch.eye(4)) || scores.zero_()>>
loss = -probs.clamp(min=1e-6).log().mean()
#encoder_opt.zero_grad()
loss.backward()
#encoder_opt.step()
""",
        trained=("encoder",),
    ),
    # a residual stack of networks
    Scene(
        {"stem": "encoder", "decoder": "decoder"},
        """
x = torch.rand(4, 3)
h = #stem(x)
skip = <<h || h.clone() || h * 1 || h.detach()>>
y = #decoder(<<h || F.relu(h) || F.relu_(h) || torch.tanh(h)>>)
<<h += 1 || skip += 1 || y += x || y = y + x || y += torch.tanh(y) || y += y.detach() || y *= torch.sigmoid(y)>>
loss = (y - x).pow(2).mean() << || + skip.mean() || + skip.pow(2).mean()>>
#stem_opt.zero_grad()
#decoder_opt.zero_grad()
loss.backward()
#stem_opt.step()
#decoder_opt.step()
""",
        trained=("stem", "decoder"),
    ),
    # a teacher that follows
    Scene(
        {"student": "policy", "teacher": "policy"},
        """
x = torch.rand(4, 3)
<<with torch.no_grad(): aim = #teacher(x) || aim = #teacher(x) || aim = #teacher(x).detach()>>
<<aim /= 0.5 || aim = aim / 0.5 || aim = aim.softmax(-1) || pass>>
said = #student(x)
<<pass || said /= 0.5 || said = said.log_softmax(-1)>>
loss = F.mse_loss(said, aim)
<<for q, k in zip(#student.parameters(), #teacher.parameters()): k.data.mul_(0.9).add_(q.data, alpha=0.1) || pass || pass>>
#student_opt.zero_grad()
loss.backward()
#student_opt.step()
with torch.no_grad():
    for q, k in zip(#student.parameters(), #teacher.parameters()):
        <<k.mul_(0.9).add_(q, alpha=0.1) || k.copy_(0.9 * k + 0.1 * q) || k.data.copy_(q.data) || k.data = k.data * 0.9 + q.data * 0.1>>
<<pass || pass || loss.backward()>>
""",
        trained=("student",),
        setup="for p in #teacher.parameters(): p.requires_grad = False",
    ),
    # an average of the weights
    Scene(
        {"net": "policy"},
        """
loss = #net(torch.rand(4, 3)).pow(2).mean()
<<pass || pass || for a, p in zip(#ema.parameters(), #net.parameters()): p.data.copy_(0.5 * a.data) || #net.load_state_dict(#ema.state_dict())>>
#net_opt.zero_grad()
loss.backward()
#net_opt.step()
with torch.no_grad():
    for a, p in zip(#ema.parameters(), #net.parameters()):
        <<a.mul_(0.99).add_(p, alpha=0.01) || a.lerp_(p, 0.01) || a.copy_(p)>>
""",
        trained=("net",),
        state={"ema": "copy.deepcopy(#net)"},
        imports=("import copy",),
    ),
    # encoder and decoder of a variational network
    Scene(
        {"enc": "variational", "dec": "decoder"},
        """
x = torch.rand(4, 3)
mu, logvar = #enc(x)
<<std = (0.5 * logvar).exp() || std = logvar.mul(0.5).exp_() || std = logvar.exp() || std = logvar.mul_(0.5).exp()>>
eps = torch.randn_like(std)
<<z = mu + eps * std || z = eps.mul(std).add_(mu) || z = eps.mul_(std).add_(mu) || mu += eps * std; z = mu>>
<<pass || pass || std.add_(1e-6) || eps.zero_() || mu.add_(1) || logvar.clamp_(-5, 5) || z.add_(0.1)>>
recon = #dec(z)
<<pass || pass || recon.sigmoid_() || recon = torch.sigmoid(recon) || z.zero_() || recon.clamp_(0, 1)>>
kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()
<<pass || pass || logvar.zero_() || mu.zero_()>>
loss = F.mse_loss(recon, x) + kl
#enc_opt.zero_grad()
#dec_opt.zero_grad()
loss.backward()
#enc_opt.step()
#dec_opt.step()
""",
        trained=("enc", "dec"),
    ),
    # words
    Scene(
        {"lm": "language"},
        """
words = torch.randint(0, 7, (2, 5))
<<given = words[:, :-1] || given = words[:, :-1].clone() || given = words.clone()[:, :-1]>>
logits = #lm(given)
<<pass || logits[:, 0] = -1e9 || logits /= 0.7 || logits.masked_fill_(given.unsqueeze(-1) == 0, 0.0) || logits[..., 0] -= 1>>
loss = F.cross_entropy(logits.reshape(-1, 7), <<words[:, 1:].reshape(-1) || words[:, 1:].clone().reshape(-1)>>)
<<pass || pass || logits.zero_() || words = words + 1>>
#lm_opt.zero_grad()
loss.backward()
#lm_opt.step()
""",
        trained=("lm",),
    ),
    # images
    Scene(
        {"net": "images"},
        """
image, mask = torch.rand(1, 2, 4, 4), torch.zeros(1, 2, 4, 4).bool()
out = #net(image)
<<pass || out[mask] = 0 || out *= 0.5 || out[:, :, 0] = 0 || out += image || out.clamp_(0, 1) || out = torch.where(mask, image, out)>>
second = #net(<<out || out.detach() || out.clamp(0, 1) || out.sigmoid()>>)
<<pass || out[mask] = 1 || out.mul_(0.5) || out = out * 0.5 || second += out || second -= image || image[mask] = 1>>
loss = F.l1_loss(second, image) + <<out.abs().mean() || out.pow(2).mean() || 0>>
#net_opt.zero_grad()
loss.backward()
#net_opt.step()
""",
        trained=("net",),
    ),
    # gradients accumulated, a loss too many
    Scene(
        {"backbone": "encoder", "left": "head", "right": "head"},
        """
shared = #backbone(torch.rand(4, 3))
<<pass || shared = F.gelu(shared) || shared.relu_() || shared += 0.5>>
one = #left(shared).pow(2).mean()
two = #right(shared<< || .detach()>>).abs().mean()
<<one.backward(); #left_opt.step() || one.backward(retain_graph=True) || one.backward(retain_graph=True); #backbone_opt.step() || (one + two).backward(); two = None>>
if two is not None:
    two.backward()
for optimizer in [#backbone_opt, #left_opt, #right_opt]:
    optimizer.step()
    optimizer.zero_grad()
""",
        trained=("backbone", "left", "right"),
    ),
    # a schedule of walks over the same graph
    Scene(
        {"net": "policy"},
        """
out = #net(torch.rand(4, 3))
loss = out.pow(2).mean()
for k in range(<<1 || 2>>):
    <<pass || loss = #net(torch.rand(4, 3)).pow(2).mean() || loss = out.pow(2).mean() || loss = loss * 1>>
    #net_opt.zero_grad()
    loss.backward(retain_graph=<<True || k == 0 || False>>)
    <<#net_opt.step() || pass>>
#net_opt.step()
""",
        trained=("net",),
        steps=("1", "2"),
    ),
    # weights moved to the worst place near by, and back
    Scene(
        {"net": "policy"},
        """
x, y = torch.rand(4, 3), torch.rand(4, 2)
loss = F.mse_loss(#net(x), y)
loss.backward(<< || || retain_graph=True>>)
with torch.no_grad():
    moved = []
    for p in #net.parameters():
        e = 0.1 * p.grad
        <<p.add_(e) || p.data.add_(e) || p += e>>
        moved.append(e)
#net_opt.zero_grad()
<<F.mse_loss(#net(x), y).backward() || loss.backward() || F.mse_loss(#net(x), y).backward()>>
for p, e in zip(#net.parameters(), moved):
    <<p.data.sub_(e) || p.data = p.data - e || with torch.no_grad(): p.sub_(e)>>
#net_opt.step()
""",
        trained=("net",),
    ),
    # gradient descent by hand
    Scene(
        {"net": "policy"},
        """
loss = #net(torch.rand(4, 3)).pow(2).mean()
#net.zero_grad()
loss.backward()
for p in #net.parameters():
    <<p.data -= 0.1 * p.grad || p.data.sub_(0.1 * p.grad.data) || p.data = p.data - 0.1 * p.grad || with torch.no_grad(): p -= 0.1 * p.grad || p.data.add_(p.grad, alpha=-0.1)>>
<<pass || pass || loss.backward() || for p in #net.parameters(): p.grad.zero_()>>
""",
    ),
    Scene(
        {"net": "policy"},
        """
loss = #net(torch.rand(4, 3)).pow(2).mean()
#net.zero_grad()
<<loss.backward() || grads = torch.autograd.grad(loss, list(#net.parameters()))>>
for i, p in enumerate(#net.parameters()):
    <<p -= 0.1 || p.sub_(0.1) || with torch.no_grad(): p.sub_(0.1) || p.data.sub_(0.1)>>
""",
    ),
    # an input that is attacked
    Scene(
        {"net": "policy"},
        """
x = torch.rand(4, 3)
delta = torch.zeros_like(x).requires_grad_()
for _ in range(2):
    loss = #net(x + delta).pow(2).mean()
    loss.backward(<< || || retain_graph=True>>)
    <<delta.data += 0.1 * delta.grad.sign() || delta.data = (delta + 0.1 * delta.grad.sign()).data || with torch.no_grad(): delta += 0.1 * delta.grad.sign() || delta.data.add_(0.1 * delta.grad.sign())>>
    <<delta.data.clamp_(-0.3, 0.3) || pass || delta.data = delta.data.clamp(-0.3, 0.3)>>
    <<delta.grad.zero_() || delta.grad = None>>
adv = (x + delta<<.detach() || >>)
<<adv.clamp_(0, 1) || adv = adv.clamp(0, 1)>>
#net_opt.zero_grad()
final = #net(adv).mean()
<<pass || pass || adv.zero_() || x.zero_()>>
final.backward()
#net_opt.step()
""",
        trained=("net",),
        steps=("1", "2"),
    ),
    # pixels that are trained themselves
    Scene(
        {"net": "images"},
        """
<<with torch.no_grad(): #image.clamp_(0, 1) || #image.data.clamp_(0, 1) || pass>>
loss = (#net(#image) - 1).pow(2).mean()
<<pass || pass || #image.data.mul_(0.9) || with torch.no_grad(): #image.clamp_(0, 1)>>
#image_opt.zero_grad()
loss.backward()
<<#image_opt.step() || #image.data.sub_(#image.grad.data)>>
<<pass || loss.backward()>>
""",
        state={
            "image": "nn.Parameter(torch.rand(1, 2, 4, 4))",
            "image_opt": "torch.optim.Adam([#image], lr=0.1)",
        },
        setup="for p in #net.parameters(): p.requires_grad_(False)",
    ),
    # a bank of features
    Scene(
        {"query": "encoder", "key": "encoder"},
        """
x = torch.rand(4, 3)
q = F.normalize(#query(x), dim=1)
<<with torch.no_grad(): k = F.normalize(#key(x), dim=1) || k = F.normalize(#key(x), dim=1).detach() || k = F.normalize(#key(x), dim=1)>>
logits = q @ #queue<< || .clone() || .detach()>>.t()
<<pass || logits /= 0.07 || #queue[0:4] = k || #queue[0:4] = k.detach()>>
loss = F.cross_entropy(logits, torch.zeros(4, dtype=torch.long))
#query_opt.zero_grad()
loss.backward()
#query_opt.step()
with torch.no_grad():
    for a, b in zip(#query.parameters(), #key.parameters()): b.mul_(0.9).add_(a, alpha=0.1)
    <<#queue[0:4] = k || #queue = torch.cat([#queue[4:], k]) || pass>>
""",
        trained=("query",),
        state={"queue": "torch.rand(8, 4)"},
    ),
    # a scaler and clipping
    Scene(
        {"model": "policy"},
        """
x, y = torch.rand(4, 3), torch.zeros(4, dtype=torch.long)
pred = #model(x)
<<pass || pred[y == 0] = 0.0 || pred.exp_() || pred *= pred.detach()>>
loss = F.cross_entropy(pred, y)
#scaler.scale(loss).backward(<< || || retain_graph=True>>)
<<#scaler.unscale_(#model_opt) || pass>>
nn.utils.clip_grad_norm_(#model.parameters(), 1.0)
#scaler.step(#model_opt)
#scaler.update()
<<#model_opt.zero_grad() || #model_opt.zero_grad(set_to_none=True)>>
<<pass || pass || loss.backward()>>
""",
        trained=("model",),
        state={"scaler": "torch.amp.GradScaler('cpu', enabled=False)"},
    ),
    # two batches of one network, compared
    Scene(
        {"net": "encoder"},
        """
<<a = #net(torch.rand(4, 3)) || a = #net(torch.rand(4, 3)).detach() || a = #last if #last is not None else #net(torch.rand(4, 3))>>
b = #net(torch.rand(4, 3))
distance = (a - b).pow(2).<<sum(1) || mean()>>
<<pass || distance.clamp_(min=0.1) || distance += 1 || a.add_(1) || b.mul_(2)>>
loss = distance.<<mean() || sqrt().mean() || exp().mean()>>
<<pass || pass || distance.add_(1) || distance = distance + 1>>
#net_opt.zero_grad()
loss.backward()
#net_opt.step()
#last = <<None || b || b.detach() || None>>
""",
        trained=("net",),
        state={"last": "None"},
        steps=("1", "2", "3"),
    ),
]

SCENES = [*ADVERSARIAL, *REINFORCED, *RECURRENT, *SUPERVISED]

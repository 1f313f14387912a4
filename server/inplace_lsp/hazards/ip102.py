"""IP102: a library call writes parameters that were saved by a graph whose backward has not run."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.expected_fixes import expect_unsafe
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.hits import Hit, find_loud_hits
from inplace_lsp.hazards.overwritten import describe_saver, make_findings
from inplace_lsp.hazards.wording import describe_versions, name_tensor
from inplace_lsp.tape.model import Actor, Tape, Write

CODE = "IP102"
NAME = "step-before-backward"


def find_hazards(tape: Tape) -> Iterator[Finding]:
    """Yield every step (or other library call) that writes what a later backward needs."""
    hits = (hit for hit in find_loud_hits(tape) if hit.write.actor is Actor.STEP)
    return make_findings(tape, CODE, NAME, hits, _describe_hit)


def _describe_hit(hit: Hit) -> str:
    written = f"{name_tensor(hit.write.tensor, 'a parameter')} ({describe_versions(hit.write)})"
    return (
        f"`{hit.write.op}` changes {written}, but a later backward needs its value from the forward pass: "
        f"{describe_saver(hit.save, hit.write)} saved it."
    )


HAZARD = Hazard(
    code=CODE,
    name=NAME,
    summary="`optimizer.step()` or `load_state_dict()` changes parameters that a later backward still needs.",
    what="""
Finds library calls that change parameters or buffers themselves (`optimizer.step()`, `load_state_dict()`,
`reset_parameters()`, `reset_running_stats()`) between a forward pass and the backward through it.
""",
    why="""
A linear layer keeps its weight to compute the gradient of its input. `step()` changes that weight in place, and a
later backward finds another version and raises. This is typical of GANs: the discriminator's optimizer steps before
`backward()` of the generator's loss, which went through the discriminator. Optimizers with `fused=True` do not change
the version counter: there the gradient is wrong and no error is raised (IP301).
""",
    instead="""
Run all backwards that go through the parameters first and step afterwards, or repeat the forward pass after the step.
""",
    fix_safety="""
Every repair is unsafe, because the order of the steps is a decision about the training: computing the loss again after
the step uses the new parameters; moving the step makes it use the gradients of the later backward; a state that is
detached gets no gradient from later iterations.
""",
    examples=(
        ExampleProgram(
            "The discriminator steps before the generator's backward",
            """\
import torch
from torch import nn

generator = nn.Linear(2, 3)
critic = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
step_critic = torch.optim.SGD(critic.parameters(), lr=0.1)

fake = generator(torch.rand(5, 2))
loss_generator = -critic(fake).mean()
loss_critic = critic(fake.detach()).mean()
loss_critic.backward()
step_critic.step()  # error: IP102
loss_generator.backward()
""",
        ),
        ExampleProgram(
            "A checkpoint is restored between forward and backward",
            """\
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
saved = {name: value.clone() for name, value in net.state_dict().items()}
loss = net(torch.rand(3, 2)).sum()
net.load_state_dict(saved)  # error: IP102
loss.backward()
""",
        ),
        ExampleProgram(
            "The usual order",
            """\
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 4), nn.ReLU(inplace=True), nn.Linear(4, 1))
optimizer = torch.optim.Adam(net.parameters())
for _ in range(3):
    optimizer.zero_grad()
    loss = net(torch.rand(3, 2)).square().mean()
    loss.backward()
    optimizer.step()
""",
        ),
        ExampleProgram(
            "Both backwards, then both steps",
            """\
import torch
from torch import nn

generator = nn.Linear(2, 3)
critic = nn.Linear(3, 1)
steps = [torch.optim.SGD(net.parameters(), lr=0.1) for net in (generator, critic)]
fake = generator(torch.rand(5, 2))
critic(fake.detach()).mean().backward()
(-critic(fake).mean()).backward()
for optimizer in steps:
    optimizer.step()
""",
        ),
    ),
    says=(
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [torch.FloatTensor [4, 1]], which is output 0 of AsStrided, is at version 2; expected version "
        "1 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with"
        " torch.autograd.set_detect_anomaly(True, check_nan=False)."
    ),
    find=find_hazards,
    events=frozenset((Write,)),
    error_kinds=("saved",),
    is_write_to_saved=True,
    expect_fix=expect_unsafe,
)

"""Training steps: losses, optimizers, and the order of backward and step."""

from __future__ import annotations

from generated import compute
from generated.builder import Builder, Var

OPTIMIZERS = [
    "SGD({p}, lr=0.1)",
    "SGD({p}, lr=0.1, momentum=0.9)",
    "Adam({p})",
    "AdamW({p}, lr=0.01)",
    "RMSprop({p})",
    "Adagrad({p})",
    "SGD({p}, lr=0.1, foreach=False)",
    "Adam({p}, foreach=True)",
]
LAYERS = [
    "nn.Tanh()",
    "nn.ReLU(inplace=True)",
    "nn.Sigmoid()",
    "nn.ReLU()",
    "nn.Dropout(0.5, inplace=True)",
    "nn.GELU()",
    "nn.LeakyReLU(0.1, inplace=True)",
]


def _net(b: Builder, before: int, after: int) -> str:
    name = b.name("net")
    if b.chance(0.3):
        b.emit(f"{name} = nn.Linear({before}, {after})")
    else:
        b.emit(f"{name} = nn.Sequential(nn.Linear({before}, 4), {b.random.choice(LAYERS)}, nn.Linear(4, {after}))")
    return name


def _optimizer(b: Builder, *nets: str) -> str:
    name = b.name("opt")
    given = f"{nets[0]}.parameters()" if len(nets) == 1 else " + ".join(f"list({net}.parameters())" for net in nets)
    b.emit(f"{name} = torch.optim.{b.random.choice(OPTIMIZERS).format(p=given)}")
    return name


def _loss(b: Builder, out: str, shape: str) -> str:
    return b.random.choice(
        [
            f"{out}.square().mean()",
            f"({out} ** 2).sum()",
            f"F.mse_loss({out}, torch.rand({shape}))",
            f"{out}.sum()",
            f"{out}.exp().mean()",
            f"F.l1_loss({out}, torch.rand({shape}))",
            f"F.cross_entropy({out}, torch.zeros(3, dtype=torch.long))",
        ]
    )


def _zero(b: Builder, opt: str, net: str) -> None:
    b.emit(
        b.random.choice(
            [f"{opt}.zero_grad()", f"{opt}.zero_grad()", f"{opt}.zero_grad(set_to_none=False)", f"{net}.zero_grad()"]
        )
    )


def loop(b: Builder) -> bool:
    """The usual loop, with what people put into it, and its order not always kept."""
    net = _net(b, 2, 2)
    opt = _optimizer(b, net)
    carried = b.chance(0.3)
    state = b.name("h")
    if carried:
        b.emit(f"{state} = torch.zeros(3, 2)")
    step = b.name("step")
    with b.block(f"for {step} in range({b.random.randint(1, 3)}):"):
        x, out, loss = b.name("x"), b.name("out"), b.name("loss")
        b.emit(f"{x} = torch.rand(3, 2)")
        if carried:
            called = [f"{net}({x}) + {state}", f"{net}({x}) + {state}.detach()"]
            forms = [f"torch.tanh({called[0]})", f"{net}({x} + {state})", f"torch.tanh({called[1]})"]
            b.emit(f"{state} = {b.random.choice(forms)}")
            out = state
        else:
            b.emit(f"{out} = {net}({x})")
        if b.chance(0.3):
            b.emit(
                b.random.choice(
                    [
                        f"{out} += 1",
                        f"{out} = {out}.relu_()",
                        f"{out}[0] = 0",
                        f"{out}.mul_(2)",
                        f"{out} = torch.sigmoid({out})",
                        f"{x}.add_(1)",
                    ]
                )
            )
        b.emit(f"{loss} = {_loss(b, out, '3, 2')}")
        _order(b, net, opt, loss)
        if carried and b.chance(0.4):
            b.emit(
                b.random.choice(
                    [f"{state} = {state}.detach()", f"{state}.detach_()", f"{state} = {state}.detach().clone()"]
                )
            )
    return True


def _order(b: Builder, net: str, opt: str, loss: str) -> None:
    """zero_grad, backward, something, step - or another order."""
    back = f"{loss}.backward()" if b.chance(0.8) else f"{loss}.backward(retain_graph=True)"
    if b.chance(0.85):
        _zero(b, opt, net)
    form = b.random.randrange(8)
    if form == 0:
        b.emit(f"{opt}.step()")
        b.emit(back)
    elif form == 1:
        b.emit(back)
        b.emit(f"{opt}.step()")
        b.emit(f"{loss}.backward()")
    elif form == 2:
        b.emit(f"{loss}.backward(retain_graph=True)")
        b.emit(f"{opt}.step()")
        b.emit(f"{loss}.backward()")
    else:
        b.emit(back)
        if b.chance(0.3):
            b.emit(
                b.random.choice(
                    [
                        f"nn.utils.clip_grad_norm_({net}.parameters(), 1.0)",
                        f"nn.utils.clip_grad_value_({net}.parameters(), 0.5)",
                        f"for p in {net}.parameters(): p.grad.mul_(0.5)",
                        f"for p in {net}.parameters(): p.grad.data.clamp_(-1, 1)",
                    ]
                )
            )
        b.emit(f"{opt}.step()")


def adversarial(b: Builder) -> bool:
    """Two networks, two optimizers, and the question who steps when."""
    generator, critic = _net(b, 2, 3), _net(b, 3, 1)
    critic_optimizer, generator_optimizer = _optimizer(b, critic), _optimizer(b, generator)
    fake, loss_c, loss_g = b.name("fake"), b.name("loss"), b.name("loss")
    with b.block(f"for {b.name('step')} in range({b.random.randint(1, 2)}):"):
        b.emit(f"{fake} = {generator}(torch.rand(4, 2))")
        detached = b.random.choice([f"{fake}.detach()", f"{fake}.detach()", fake])
        steps = [
            [f"{loss_c} = {critic}({detached}).mean() - {critic}(torch.rand(4, 3)).mean()"],
            [f"{critic_optimizer}.zero_grad()", f"{loss_c}.backward({b.random.choice(['', '', 'retain_graph=True'])})"],
            [f"{critic_optimizer}.step()"],
            [f"{loss_g} = -{critic}({fake}).mean()"],
            [f"{generator_optimizer}.zero_grad()", f"{loss_g}.backward()"],
            [f"{generator_optimizer}.step()"],
        ]
        order = b.random.choice(
            [[0, 1, 2, 3, 4, 5], [0, 3, 1, 2, 4, 5], [0, 3, 1, 4, 2, 5], [3, 4, 5, 0, 1, 2], [0, 1, 3, 2, 4, 5]]
        )
        for at in order:
            for line in steps[at]:
                b.emit(line)
    return True


def by_hand(b: Builder) -> bool:
    """The gradient step written out, on leaves of the program's own."""
    w, step, loss = b.name("w"), b.name("step"), b.name("loss")
    b.emit(f"{w} = torch.rand(3, 2, requires_grad=True)")
    b.add(Var(w, (3, 2), "float", "any", True, True))
    with b.block(f"for {step} in range({b.random.randint(1, 3)}):"):
        x = b.floating(lambda v: v.rank == 2 and v.shape[1] == 3 and not v.grad)
        given = x.name if x else "torch.rand(4, 3)"
        forms = [
            f"({given} @ {w}).square().mean()",
            f"({w} ** 2).sum()",
            f"{w}.sigmoid().sum()",
            f"({given} @ {w}).sum()",
        ]
        b.emit(f"{loss} = {b.random.choice(forms)}")
        b.emit(f"{loss}.backward({b.random.choice(['', '', '', 'retain_graph=True'])})")
        update = b.random.randrange(5)
        if update < 3:
            with b.block("with torch.no_grad():"):
                b.emit(
                    b.random.choice(
                        [f"{w} -= 0.1 * {w}.grad", f"{w}.sub_({w}.grad, alpha=0.1)", f"{w}.copy_({w} - {w}.grad)"]
                    )
                )
        else:
            b.emit(
                b.random.choice(
                    [
                        f"{w}.data -= 0.1 * {w}.grad",
                        f"{w}.data.add_({w}.grad, alpha=-0.1)",
                        f"{w}.data = {w}.data - 0.1 * {w}.grad",
                    ]
                )
            )
        b.emit(b.random.choice([f"{w}.grad.zero_()", f"{w}.grad = None", f"{w}.grad.zero_()"]))
        if b.chance(0.15):
            b.emit(f"{loss}.backward()")
    return True


def average(b: Builder) -> bool:
    """A target network that follows another, between forward and backward or after."""
    net, target = _net(b, 2, 2), b.name("net")
    if "import copy" not in b.prelude:
        b.prelude.insert(0, "import copy")
    b.emit(f"{target} = copy.deepcopy({net})")
    opt = _optimizer(b, net)
    loss, p, q = b.name("loss"), b.name("p"), b.name("q")
    value = b.random.choice([f"{target}(torch.rand(3, 2))", f"{target}(torch.rand(3, 2)).detach()"])
    update = b.random.choice([f"{q}.mul_(0.9).add_({p}, alpha=0.1)", f"{q}.lerp_({p}, 0.1)", f"{q}.copy_({p})"])
    b.emit(f"{loss} = F.mse_loss({net}(torch.rand(3, 2)), {value})")

    def follow() -> None:
        if b.chance(0.3):
            b.emit(f"{target}.load_state_dict({net}.state_dict())")
            return
        with (
            b.block("with torch.no_grad():"),
            b.block(f"for {p}, {q} in zip({net}.parameters(), {target}.parameters()):"),
        ):
            b.emit(update)

    early = b.chance(0.4)
    if early:
        follow()
    b.emit(f"{loss}.backward()")
    b.emit(f"{opt}.step()")
    if not early:
        follow()
    return True


def shared(b: Builder) -> bool:
    """Two losses over one trunk, two optimizers over parts of it."""
    trunk, left, right = _net(b, 2, 3), _net(b, 3, 1), _net(b, 3, 1)
    first_optimizer, second_optimizer = _optimizer(b, trunk, left), _optimizer(b, right)
    h, first, second = b.name("h"), b.name("loss"), b.name("loss")
    b.emit(f"{h} = {trunk}(torch.rand(4, 2))")
    if b.chance(0.4):
        b.emit(b.random.choice([f"{h} = torch.relu_({h})", f"{h} += 1", f"{h} = {h}.sigmoid()"]))
    b.emit(f"{first} = {left}({h}).mean()")
    b.emit(f"{second} = {right}({h}{b.random.choice(['', '', '.detach()'])}).square().mean()")
    form = b.random.randrange(4)
    if form == 0:
        lines = [f"({first} + {second}).backward()", f"{first_optimizer}.step()", f"{second_optimizer}.step()"]
    elif form == 1:
        lines = [
            f"{first}.backward(retain_graph=True)",
            f"{second}.backward()",
            f"{first_optimizer}.step()",
            f"{second_optimizer}.step()",
        ]
    elif form == 2:
        lines = [
            f"{first}.backward({b.random.choice(['', 'retain_graph=True'])})",
            f"{first_optimizer}.step()",
            f"{second}.backward()",
            f"{second_optimizer}.step()",
        ]
    else:
        lines = [f"{first}.backward()", f"{second}.backward()", f"{first_optimizer}.step()"]
    for line in lines:
        b.emit(line)
    return True


def closure(b: Builder) -> bool:
    """`optimizer.step(closure)`."""
    net = _net(b, 2, 1)
    opt = b.name("opt")
    kind = b.random.choice(["LBFGS({p}, max_iter=2)", "SGD({p}, lr=0.1)", "Adam({p})"])
    b.emit(f"{opt} = torch.optim.{kind.format(p=f'{net}.parameters()')}")
    x, name = b.name("x"), b.name("closure")
    b.emit(f"{x} = torch.rand(4, 2)")
    with b.block(f"def {name}():"):
        b.emit(f"{opt}.zero_grad()")
        b.emit(f"loss = {net}({x}).square().mean()")
        b.emit("loss.backward()")
        b.emit("return loss")
    b.emit("")
    b.emit(f"{opt}.step({name})")
    if b.chance(0.3):
        compute.unary(b)
    return True

"""Training as people write it: what goes on round the forward, the backward and the step, its order not always kept."""

from __future__ import annotations

from generated.template import Template, maker

COPY = "import copy"
CHECKPOINT = "from torch.utils.checkpoint import checkpoint"

_NET = """
$act = <<nn.Tanh() || nn.ReLU() || nn.ReLU(inplace=True) || nn.Sigmoid() || nn.GELU() || nn.Dropout(0.5, inplace=True)>>
$net = nn.Sequential(nn.Linear(3, 4), $act, nn.Linear(4, 2))
$opt = torch.optim.<<SGD($net.parameters(), lr=0.1) || Adam($net.parameters()) || AdamW($net.parameters(), lr=0.01)>>
"""

_PRACTICE = [
    # a scheduler, an accumulated loss, a loss kept for the record
    _NET
    + """
$sched = torch.optim.lr_scheduler.<<StepLR($opt, 1) || ExponentialLR($opt, 0.9) || CosineAnnealingLR($opt, 5)>>
$total = <<0 || 0.0 || torch.zeros(())>>
for $step in range(<<1 || 2 || 3>>):
    $loss = F.mse_loss($net(torch.rand(4, 3)), torch.rand(4, 2))
    $opt.zero_grad()
    $loss.backward(<< || || retain_graph=True>>)
    $opt.step()
    $sched.step()
    $total = $total + <<$loss.item() || $loss.detach() || $loss || $loss.detach().item()>> << || * 1>>
<<pass || print(float($total)) || if torch.is_tensor($total) and $total.requires_grad: $total.backward()>>
""",
    # gradients accumulated over small batches
    _NET
    + """
$batches = [torch.rand(4, 3) for _ in range(<<2 || 3>>)]
$opt.zero_grad()
<<$all = 0 || $all = torch.zeros(())>>
for $at, $batch in enumerate($batches):
    $out = $net($batch)
    <<pass || $batch.mul_(2) || $out.mul_(2) || $out += 1>>
    $loss = <<($out ** 2).mean() || $out.exp().mean() || $out.sum()>> / <<2 || len($batches)>>
    <<$loss.backward() || $all = $all + $loss || $loss.backward(retain_graph=True)>>
    if ($at + 1) % <<1 || 2>> == 0:
        $opt.step()
        $opt.zero_grad(<< || set_to_none=True || set_to_none=False>>)
<<if torch.is_tensor($all) and $all.requires_grad: $all.backward() || pass>>
""",
    # the penalty on a gradient
    _NET
    + """
$x = torch.rand(4, 3, requires_grad=True)
for $step in range(<<1 || 2>>):
    $out = $net(<<$x || $x || $x * 2>>)
    $g, = torch.autograd.grad($out.sum(), $x, create_graph=<<True || True || False>>)
    $pen = <<($g.norm(2, dim=1) - 1).pow(2).mean() || ($g ** 2).sum() || $g.abs().sum()>>
    <<pass || pass || $g.mul_(2) || $out.add_(1) || $g.zero_()>>
    $loss = $out.mean() + $pen
    $opt.zero_grad()
    <<$loss.backward() || $loss.backward(retain_graph=True) || $loss.backward(); $opt.step()>>
    <<$opt.step() || pass>>
    <<pass || $loss.backward() || $x.grad = None || $x.grad.zero_()>>
""",
    # a scaler
    _NET
    + """
$scaler = torch.amp.GradScaler('cpu', enabled=<<True || False>>)
for $step in range(2):
    $opt.zero_grad()
    with torch.autocast('cpu', enabled=<<False || True>>, dtype=torch.bfloat16):
        $out = $net(torch.rand(4, 3))
        $loss = <<$out.float().pow(2).mean() || F.mse_loss($out.float(), torch.rand(4, 2))>>
    $scaler.scale($loss).backward(<< || retain_graph=True>>)
    <<$scaler.unscale_($opt) || pass>>
    <<nn.utils.clip_grad_norm_($net.parameters(), 1.0) || pass>>
    $scaler.step($opt)
    $scaler.update()
""",
    # an average that follows, and a target that is written at various times
    _NET
    + """
$ema = copy.deepcopy($net)
for $p in $ema.parameters():
    <<$p.requires_grad_(False) || $p.requires_grad = False || pass>>
for $step in range(2):
    $x = torch.rand(4, 3)
    <<with torch.no_grad(): $aim = $ema($x) || $aim = $ema($x) || $aim = $ema($x).detach()>>
    $loss = F.mse_loss($net($x), $aim)
    $opt.zero_grad()
    <<$loss.backward() || $opt.step(); $loss.backward() || $loss.backward(); $opt.step()>>
    with torch.no_grad():
        for $a, $b in zip($ema.parameters(), $net.parameters()):
            <<$a.mul_(0.9).add_($b, alpha=0.1) || $a.lerp_($b, 0.1) || $a.copy_($b) || $a.data.copy_($b.data)>>
    <<pass || $loss.backward() || $opt.step()>>
""",
    # forward hooks
    _NET
    + """
$seen = []
$hook = $net[<<0 || 1 || 2>>].register_forward_hook(
    lambda m, i, o: <<$seen.append(o) || o * 2 || o.mul_(2) || $seen.append(o.detach()) || None>>
)
for $step in range(<<1 || 2>>):
    $out = $net(torch.rand(4, 3))
    <<pass || $hook.remove() || $out.add_(1)>>
    $loss = $out.pow(2).mean()<< || + sum(t.mean() for t in $seen) || + sum(t.pow(2).mean() for t in $seen[-1:])>>
    $opt.zero_grad()
    $loss.backward()
    $opt.step()
    <<pass || for $t in $seen: $t.data.add_(1) || $seen.clear()>>
""",
    # hooks of tensors
    """
$w = torch.rand(3, 2, requires_grad=True)
$h = <<torch.tanh($w) || $w * 2 || $w.exp()>>
$h.register_hook(lambda g: <<g * 2 || None || g.clamp(-1, 1)>>)
<<$h.retain_grad() || pass || $w.register_hook(lambda g: g * 0.5)>>
$y = <<$h * $h || $h.exp() || $h + 1>>
<<$h.add_(1) || pass || $y.mul_(2) || $h.data.zero_()>>
$y.sum().backward(<< || retain_graph=True>>)
<<pass || $y.sum().backward() || $w.grad.zero_() || $h.add_(1)>>
""",
    # a function of the program's own
    """
class $Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.k = k
        <<y = x * k || y = x.exp() || y = x.clone().mul_(k) || x.mul_(k); ctx.mark_dirty(x); y = x || y = x.relu()>>
        <<ctx.save_for_backward(x) || ctx.save_for_backward(y) || ctx.save_for_backward(x, y) || ctx.kept = y>>
        return y

    @staticmethod
    def backward(ctx, g):
        s = ctx.saved_tensors[<<0 || -1>>] if ctx.saved_tensors else ctx.kept
        return <<g * s || g * ctx.k || g.mul(s)>>, None

$w = torch.rand(3, 2, requires_grad=True)
$a = <<$w * 2 || $w.exp() || $w + 1>>
$b = $Fn.apply($a, 2.0)
$c = <<$b * $b || $b + 1 || $b.exp() + $a>>
<<pass || $b.add_(1) || $a.add_(1) || $c.mul_(2) || $b = $b.detach() * $w>>
$c.sum().backward(<< || retain_graph=True>>)
<<pass || $c.sum().backward() || $a.add_(1)>>
""",
    # recomputation
    _NET
    + """
$x = torch.rand(4, 3<<, requires_grad=True || >>)
$h = checkpoint($net, $x, use_reentrant=<<False || False || True>>)
<<pass || $h.add_(1) || $h = $h * 2 || $x.data.add_(1) || with torch.no_grad(): $net[0].weight.mul_(0.5)>>
<<if $h.requires_grad: $h.pow(2).mean().backward() || if $h.requires_grad: $h.sum().backward()>>
<<$opt.step() || pass>>
""",
    # two heads, several losses and who steps when
    """
$trunk = nn.Linear(3, 4)
$heads = nn.ModuleList([nn.Linear(4, 1) for _ in range(<<2 || 3>>)])
$opts = [torch.optim.<<SGD || Adam>>(h.parameters(), lr=0.1) for h in $heads]
$main = torch.optim.SGD(<<$trunk.parameters() || [*$trunk.parameters(), *$heads.parameters()]>>, lr=0.1)
for $step in range(<<1 || 2>>):
    $z = <<torch.tanh($trunk(torch.rand(4, 3))) || $trunk(torch.rand(4, 3)) || torch.relu_($trunk(torch.rand(4, 3)))>>
    $losses = [<<h($z).mean() || h($z).pow(2).mean() || h($z.detach()).mean()>> for h in $heads]
    $main.zero_grad()
    for $l, $o in zip($losses, $opts):
        <<$o.zero_grad() || pass>>
        $l.backward(<<retain_graph=True || retain_graph=$l is not $losses[-1] || >>)
        <<$o.step() || pass || $o.step()>>
    $main.step()
""",
    # all losses at once
    """
$net = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])
$opt = torch.optim.SGD($net.parameters(), lr=0.1)
$x = torch.rand(4, 3)
$losses = []
for $layer in $net:
    $x = <<$layer($x) || torch.tanh($layer($x)) || $x + $layer($x) || F.relu($layer($x), inplace=True)>>
    <<pass || $x.add_(1) || $x *= 2 || $x = $x.detach()>>
    $losses.append($x.<<mean() || pow(2).mean() || exp().sum()>>)
    <<pass || $losses[-1].backward(retain_graph=True) || $losses[-1].backward()>>
    <<pass || $opt.step()>>
<<sum($losses).backward() || $losses[-1].backward() || torch.stack($losses).sum().backward() || pass>>
$opt.step()
""",
    # memory of earlier outputs
    _NET
    + """
$memory = []
for $step in range(<<2 || 3>>):
    $out = $net(torch.rand(4, 3))
    $memory.append(<<$out || $out.detach() || $out.mean() || $out.detach().clone()>>)
    $loss = <<$out.pow(2).mean() || sum(m.mean() for m in $memory) || torch.stack([m.mean() for m in $memory]).sum()>>
    $opt.zero_grad()
    if $loss.requires_grad:
        $loss.backward(<< || || retain_graph=True>>)
    $opt.step()
    <<pass || $memory[-1] = $memory[-1].detach() || $memory = $memory[-1:] || $memory[0].add_(1) || $memory.clear()>>
""",
    # truncated backpropagation through time
    """
$cell = nn.<<GRUCell(3, 4) || RNNCell(3, 4)>>
$opt = torch.optim.SGD($cell.parameters(), lr=0.1)
$h = torch.zeros(2, 4)
$acc = 0
for $t in range(<<3 || 4>>):
    $h = $cell(torch.rand(2, 3), <<$h || $h || $h.detach()>>)
    <<pass || $h.mul_(0.5) || $h = $h * 0.5>>
    $acc = $acc + $h.<<mean() || pow(2).mean()>>
    if ($t + 1) % 2 == 0:
        $opt.zero_grad()
        $acc.backward(<< || || retain_graph=True>>)
        $opt.step()
        <<$h = $h.detach() || $h.detach_() || pass>>
        $acc = 0
""",
    # a class that trains
    """
class $Trainer:
    def __init__(self):
        self.net = nn.Linear(3, 2)
        self.opt = torch.optim.<<SGD || Adam>>(self.net.parameters(), lr=0.1)
        self.last = None

    def forward(self, x):
        out = self.net(x)
        <<pass || out.add_(1) || out = out.relu_() || self.last = out>>
        return out

    def step(self, x):
        loss = <<self.forward(x).pow(2).mean() || F.mse_loss(self.forward(x), torch.rand(4, 2))>>
        <<if self.last is not None: loss = loss + self.last.mean() || pass>>
        self.opt.zero_grad()
        loss.backward(<< || || retain_graph=True>>)
        self.opt.step()
        <<self.last = loss || self.last = loss.detach() || pass || pass>>
        return <<loss.item() || loss.detach() || loss>>

$trainer = $Trainer()
for $i in range(<<1 || 2 || 3>>):
    $result = $trainer.step(torch.rand(4, 3))
<<pass || pass || if torch.is_tensor($result) and $result.requires_grad: $result.backward()>>
""",
    # batches made by a generator, left early
    _NET
    + """
def $batches(n):
    for _ in range(n):
        yield torch.rand(4, 3), torch.rand(4, 2)

for $i, ($x, $t) in enumerate($batches(<<2 || 3>>)):
    $out = $net($x)
    <<pass || $x.add_(1) || $out.sigmoid_() || $t.mul_(2)>>
    $loss = <<F.mse_loss($out, $t) || F.l1_loss($out, $t) || ($out - $t).pow(2).sum()>>
    <<pass || $t.zero_() || $out.add_(1)>>
    $opt.zero_grad()
    <<$loss.backward(); $opt.step() || $loss.backward(); $opt.step() || $opt.step(); $loss.backward()>>
    if <<$i == 1 || $loss.item() > 1e9 || not torch.isfinite($loss)>>:
        break
else:
    $net.eval()
""",
    # weights held in bounds, decayed, noised, restored
    _NET
    + """
$saved = <<copy.deepcopy($net.state_dict()) || {k: v.clone() for k, v in $net.state_dict().items()}>>
for $step in range(<<1 || 2>>):
    $loss = $net(torch.rand(4, 3)).pow(2).mean()
    <<pass || $net.load_state_dict($saved)>>
    $opt.zero_grad()
    $loss.backward()
    <<$opt.step() || pass>>
    for $p in $net.parameters():
        <<$p.data.clamp_(-1, 1) || $p.data = $p.data.clamp(-1, 1) || pass || $p.grad.mul_(0.5) || $p.grad = None>>
    <<pass || $net.load_state_dict($saved) || with torch.no_grad(): $net[0].weight.add_(0.1)>>
    <<pass || pass || $loss.backward()>>
""",
    # layers frozen and given to the optimizer in groups
    """
$a, $b = nn.Linear(3, 4), nn.Linear(4, 2)
<<$a.requires_grad_(False) || $b.weight.requires_grad = False || pass>>
$opt = torch.optim.SGD([{'params': $a.parameters(), 'lr': 0.1}, {'params': [$b.weight, $b.bias]}], lr=0.01)
for $step in range(2):
    $h = <<torch.tanh($a(torch.rand(4, 3))) || $a(torch.rand(4, 3))>>
    <<pass || $h.mul_(2) || $h += 1>>
    $loss = $b($h).pow(2).mean()
    <<$opt.zero_grad() || pass>>
    <<$loss.backward(); $opt.step() || $opt.step(); $loss.backward()>>
<<pass || $loss.backward()>>
""",
    # functional transforms and parameters handed over
    _NET
    + """
$params = <<dict($net.named_parameters()) || {k: v.detach() for k, v in $net.named_parameters()}>>
$x = torch.rand(4, 3)

def $f(p, x):
    out = torch.func.functional_call($net, p, (x,))
    <<out = out * 2 || out = out.sigmoid() || out = out + 1>>
    return out.pow(2).mean()

<<$g = torch.func.grad($f)($params, $x) || $g, $v = torch.func.grad_and_value($f)($params, $x)>>
$loss = $f(<<$params || dict($net.named_parameters())>>, $x)
if $loss.requires_grad:
    $loss.backward()
    $opt.step()
    <<pass || $loss.backward()>>
""",
    # a vector of all parameters
    _NET
    + """
$loss = $net(torch.rand(4, 3)).pow(2).mean()
$flat = torch.nn.utils.parameters_to_vector($net.parameters())
<<$reg = $flat.pow(2).sum() || $reg = $flat.norm() || $reg = $flat.detach().pow(2).sum()>>
<<$flat.detach().mul_(2) || pass || $opt.step() || with torch.no_grad(): $flat.mul_(2)>>
($loss + $reg).backward()
$opt.step()
""",
    # evaluation in between
    _NET
    + """
for $step in range(2):
    $net.train()
    $loss = F.cross_entropy($net(torch.rand(4, 3)), torch.zeros(4, dtype=torch.long))
    <<$net.eval() || pass>>
    with torch.<<no_grad || inference_mode>>():
        $val = $net(torch.rand(4, 3)).<<add_(1) || mul_(2)>>
    $opt.zero_grad()
    $loss.backward()
    $opt.step()
    <<pass || $val.add_(1) || $best = $val * 2 || $loss = $loss + $val.mean()>>
""",
]


def _needs(text: str) -> tuple[str, ...]:
    wanted = {"copy.": COPY, "checkpoint(": CHECKPOINT}
    return tuple(line for sign, line in wanted.items() if sign in text)


PRACTICE = [Template(text, needs=_needs(text), uses_tensors=False) for text in _PRACTICE]

several = maker(PRACTICE)

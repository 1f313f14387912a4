"""Loops and branches as programs have them: over what they made, with early ends, in turns, and of unknown length."""

from __future__ import annotations

from generated.template import Template, maker

LOOPS = [
    Template(
        """
$h = <<torch.zeros_like($x) || $x * 1 || $x.detach().clone() || $x>>
for $i in range(<<$x.shape[0] || len($x) || int($x.size(0)) || 2 * 1>>):
    $h = <<torch.tanh($h) || $h + $x || $h * $x || torch.sigmoid($h + $y) || $h * 2>>
    <<pass || $h.add_(1) || $h *= 2 || $h[0] = $i || $h = $h.detach() || $h.relu_()>>
""",
        gives="h",
    ),
    Template(
        """
$k = 0
while True:
    $k += 1
    $h = <<$x.exp() || $x * $y || $x.sigmoid() || $x + $y>>
    <<pass || $h.mul_(2) || $x.add_(1) || $h -= 1>>
    if $k == <<1 || 2 || 3>>:
        break
""",
        gives="h",
    ),
    Template(
        """
$h = $x * 2
for $i in range(<<2 || 3>>):
    if $i == <<0 || 1 || 5>>:
        <<break || continue || pass || $h = $h.exp() || $h.add_(1)>>
    <<$h = $h * $h || $h = torch.tanh($h) || $h += 1 || $h = $h * 0.5>>
else:
    <<$h.add_(1) || $h = $h.sigmoid() || pass>>
""",
        gives="h",
    ),
    Template(
        """
$hs = [$x * 1]
for $i in range(<<2 || 3 || 4>>):
    $hs.append(<<torch.tanh($hs[-1]) || $hs[-1] * $y || $hs[$i] + 1 || $hs[-1].exp()>>)
    <<pass || $hs[-1].add_(1) || $hs[0].mul_(2) || $hs = $hs + [$hs[-1]] || $hs[$i] = $hs[$i].detach()>>
$h = <<$hs[-1] || sum($hs) || torch.stack($hs).sum(0) || $hs[0] + $hs[-1]>>
""",
        gives="h",
    ),
    Template(
        """
$seen = deque(maxlen=2)
$h = $x * 1
for $i in range(3):
    $h = <<torch.sigmoid($h) || $h * $y || $h + 1>>
    $seen.append(<<$h || $h.detach() || $h.exp()>>)
    <<pass || $h.add_(1) || $seen[0].mul_(2) || $seen[-1].add_(1)>>
$out = $seen[0] * $seen[-1]
""",
        gives="out",
        needs=("from collections import deque",),
    ),
    Template(
        """
$states = {'a': $x * 1, 'b': $y * 2}
for $i in range(<<1 || 2>>):
    for $key, $t in <<$states.items() || list($states.items()) || sorted($states.items())>>:
        <<$t.add_(1) || $states[$key] = $t * 2 || $states[$key] = torch.tanh($t) || $states[$key] += 1 || $t = $t * 2>>
$h = $states['a'] * <<$states['b'] || $y || 2>>
<<pass || $states['b'].mul_(2) || $states['a'].add_(1) || del $states['b']>>
""",
        gives="h",
    ),
    Template(
        """
def $steps(t, n):
    for i in range(n):
        t = <<t * 2 || torch.tanh(t) || t.exp()>>
        yield <<t || t + 1 || t.sigmoid()>>

$total = 0
for $at, $t in enumerate($steps($x, <<2 || 3>>)):
    <<$t.add_(1) || pass || $t.mul_(2) || $t = $t * 2>>
    $total = $total + $t
    <<pass || if $at == 1: break || if $at == 0: continue>>
$h = $total * 1
""",
        gives="h",
    ),
    Template(
        """
$h = $x * 1
for $i in range(2):
    for $j in range(<<$i + 1 || 2 || 3 - $i>>):
        <<$h = $h + $y || $h.add_($j) || $h = torch.sigmoid($h) || $h *= $y>>
        if <<$j > $i || $j == 1 || $i == 0>>:
            <<break || continue || pass || $h = $h * $h>>
    <<pass || $h = $h.clone() || $h.mul_(0.5)>>
""",
        gives="h",
    ),
    Template(
        """
$h = $x * 1
$n = int(torch.tensor(<<2 || 3>>).item())
for $i in range($n):
    $h = <<torch.tanh($h) || $h * 2 || $h + $y || $h.exp()>>
    <<pass || $h += 1 || $h.mul_(2) || $y.add_(1) if not $y.requires_grad else None>>
""",
        gives="h",
    ),
    Template(
        """
$h = $x * 1
for $i in range(3):
    try:
        <<$h = $h.exp() || $h.add_(1) || $h = $h * $h>>
        if $i == 1:
            raise <<ValueError('stop') || KeyError('k') || RuntimeError('r')>>
        <<$h.mul_(2) || pass>>
    except (ValueError, KeyError, RuntimeError):
        <<continue || break || $h = $h * 1 || $h.add_(1)>>
    finally:
        <<pass || $h.add_(1)>>
""",
        gives="h",
    ),
    Template(
        """
$pairs = list(zip([$x * 1, $y * 1], [$x + 1, $y + 2]))
$outs = []
for $a, $b in <<$pairs || reversed($pairs) || iter($pairs)>>:
    $a = <<$a * $b || $a.exp() || $a + $b>>
    <<$b.add_(1) || pass || $a.mul_(2) || $b = $b * 2>>
    $outs.append(<<$a || $a * $b || $b>>)
$h = <<$outs[0] + $outs[1] || torch.stack($outs).sum(0) || sum($outs)>>
""",
        gives="h",
    ),
    Template(
        """
$buf = torch.zeros(<<3 || 4>>, *$x.shape)
for $t in range($buf.shape[0] - 1):
    $buf[$t + 1] = <<torch.tanh($buf[$t]) + $x || $buf[$t] * 2 + $y || $x * ($t + 1) || $buf[$t].exp() * $x>>
$h = <<$buf[-1] || $buf.sum(0) || $buf[1] * 2>>
""",
        gives="h",
        rank=(1, 2),
    ),
    Template(
        """
$h = <<$x.unsqueeze(0) || torch.stack([$x, $y])>> * 1
$outs = []
for $row in <<$h || $h.unbind(0) || list($h)>>:
    $outs.append(<<$row.exp() || $row * 2 || $row.sigmoid()>>)
    <<pass || $outs[-1].add_(1) || $outs[-1].mul_(2)>>
<<$h.add_(1) || $h[0] = 0 || pass>>
$out = <<$outs[0] || sum($outs)>>.reshape($x.shape)
""",
        gives="out",
        rank=(1, 2),
    ),
    Template(
        """
def $act(t, kind=<<'relu' || 'tanh' || 'exp'>>, inplace=<<True || False>>):
    if kind == 'relu':
        return F.relu(t, inplace=inplace)
    elif kind == 'tanh':
        return t.tanh_() if inplace else torch.tanh(t)
    t = t.exp()
    return t.add_(1) if inplace else t + 1

$a = $x * 2
$b = <<$a * $a || $a.sigmoid() || $a + 1>>
$h = $act($a<< || , 'tanh' || , inplace=False || , kind='exp'>>) + $b
""",
        gives="h",
    ),
    Template(
        """
match <<'grow' || 'keep' || ('scale', 2) || 7>>:
    case 'grow':
        $h = $x * 2
        $h.add_(1)
    case (str(), $k):
        $h = $x.exp()
        $h *= $k
    case 'keep':
        $h = $x.exp()
    case _:
        $h = $x * $x
        <<$x.add_(1) || pass>>
""",
        gives="h",
    ),
    Template(
        """
if ($t := $x * 2).dim() == <<1 || 2 || 3>>:
    $h = $t * $t
    <<$t.add_(1) || pass>>
elif $t.numel() > <<3 || 100>>:
    $h = $t.exp()
    <<$h.add_(1) || pass>>
else:
    $h = $t.sigmoid() + $y
    <<$t.mul_(2) || pass>>
""",
        gives="h",
    ),
    Template(
        """
class $Cell:
    def __init__(self, t):
        self.h = t
        self.seen = []

    def step(self, u):
        self.h = <<torch.tanh(self.h + u) || self.h * u || self.h + u>>
        self.seen.append(<<self.h || self.h.detach() || self.h * 1>>)
        <<pass || self.h.add_(1) || self.h = self.h.detach() || self.seen[0].mul_(2)>>
        return self

$cell = $Cell($x * 1)
for $u in [$y, $x * 2, <<$y || $x>>]:
    $cell.step($u)
$h = <<$cell.h || sum($cell.seen) || $cell.seen[-1] * $cell.h>>
""",
        gives="h",
    ),
    Template(
        """
def $outer(t):
    $count = 0

    def bump(u):
        nonlocal $count, t
        $count += 1
        <<t = t * 2 || u.add_(1) || pass || t.mul_(2)>>
        return <<u * t || u + t || t.exp()>>

    for k in range(2):
        r = bump(<<t * 1 || t>>)
    return r

$h = $outer($x * 1)
""",
        gives="h",
    ),
]
"""Each has a tensor at its end; what torch does with it is for the judge."""

several = maker(LOOPS)

"""Tensors kept in the containers of Python's library, put in, taken out, moved and written there."""

from __future__ import annotations

from generated.template import Template, maker

_TEXTS = {
    "from collections import OrderedDict, defaultdict, namedtuple": [
        """
$d = <<{} || OrderedDict() || dict(first=$y * 1)>>
$d['a'] = $x * 2
$d.update(<<b=$y * 3 || {'b': $y * 3} || [('b', $y * 3)]>>)
$p = <<$d.pop('a') || $d.setdefault('a', $y) || $d.get('a', $y) || $d['a'] || $d.setdefault('c', $x * 1)>>
$q = $p * <<$p || $d['b'] || 2>>
<<$d['b'].add_(1) || $p.mul_(2) || pass || $d.clear() || for $t in $d.values(): $t.mul_(2) || del $d['b']>>
$h = $q + <<sum($d.values()) || 1 || $p>>
""",
        """
$d = defaultdict(<<list || lambda: [$y * 1]>>)
for $i, $t in enumerate([$x * 1, $y * 2, $x + 1]):
    $d[$i % <<2 || 1 || 3>>].append(<<$t || $t.exp() || $t * $t>>)
    <<pass || $t.add_(1) || $d[0][0].mul_(2) || $d[0][-1] = $d[0][-1] * 2>>
$h = <<sum($d[0]) || $d[0][-1] * $d[0][0] || torch.stack($d[0]).sum(0)>>
""",
        """
$Pair = namedtuple('Pair', <<'one two' || ['one', 'two']>>)
$p = $Pair($x * 1, <<two=$y * 2 || $y.exp()>>)
$one, $two = $p
$q = <<$p.one * $p.two || $one * $two || $p[0].exp()>>
<<$p.two.add_(1) || $p[0].mul_(2) || $one.add_(1) || pass || $p = $p._replace(one=$p.one * 2)>>
$h = $q + $p.<<one || two>>
""",
    ],
    "from dataclasses import dataclass, field": [
        """
@dataclass
class $State:
    h: torch.Tensor
    seen: list = field(default_factory=list)
    steps: int = 0

    def push(self, t):
        self.seen.append(<<t || t * 1 || t.detach()>>)
        self.h = <<self.h * t || self.h + t || torch.tanh(self.h)>>
        self.steps += 1

$s = $State($x * 1)
$s.push($y * 2)
<<$s.h.add_(1) || $s.seen[0].mul_(2) || $s.push($x) || pass || $s.h = $s.h.detach() || $s.h *= 2>>
$h = $s.h<< || * $s.seen[0] || + $s.steps>>
""",
    ],
    "from types import SimpleNamespace": [
        """
$ns = SimpleNamespace(a=$x * 1, b=<<$y * 2 || [$y * 2]>>)
$q = $ns.a * <<2 || $ns.a || $y>>
<<$ns.a.add_(1) || $ns.a = $ns.a * 2 || $ns.a += 1 || pass || setattr($ns, 'a', $y * 1)>>
$h = $q + getattr($ns, 'a')
""",
    ],
    "": [
        """
$l = [$x * 1, $y * 1]
<<$l.insert(0, $x.exp()) || $l.extend([$x + 1]) || $l += [$x * 3] || $l.append($l[0]) || $l = $l + [$y * 2] || $l *= 2>>
$q = <<$l[0] * $l[-1] || $l[1].exp() || sum($l) || $l[-1] ** 2>>
<<$l.pop().add_(1) || $l.pop(0).mul_(2) || $l[1:][0].add_(1) || del $l[0] || pass || $l[0] = $l[0] * 2>>
<<$l.reverse() || $l.clear() || $l[:1] = [$y] || pass || $l.copy()[0].mul_(2) || $l = $l[::-1]>>
$h = $q + <<$x || (sum($l) if $l else 1)>>
""",
        """
$t = ($x * 1, ($y * 2, [$x.sigmoid()]))
$a, ($b, [$c]) = $t
$q = <<$a * $b || $c * 2 || $b.exp() || $c * $a>>
<<$t[1][1][0].add_(1) || $b.mul_(2) || $t[0].sub_(1) || pass || $c *= 2 || $t[1][1][0] = $y>>
$h = $q + <<$c || $t[1][1][0] || $a>>
""",
        """
$grid = [[$x * (i + j) for j in range(2)] for i in range(<<1 || 2>>)]
for $row in $grid:
    for $j, $cell in enumerate($row):
        $row[$j] = <<$cell * $y || $cell.exp() || $cell || $cell.add_(1)>>
$q = $grid[0][1] * <<$grid[-1][0] || $grid[0][1] || 2>>
<<$grid[0][1].add_(1) || pass || $grid[-1][0].mul_(2) || $flat = [c.mul_(2) for r in $grid for c in r]>>
$h = $q + 1
""",
        """
$fns = {'double': lambda t: t * 2, 'grow': lambda t: t.add_(1), 'exp': torch.exp, 'act': nn.Tanh()}
$h = $x * 1
for $name in <<('double', 'exp') || ('exp', 'grow') || ['act', 'grow', 'double'] || ('exp', 'act')>>:
    $h = $fns[$name]($h)
""",
        """
$h = $x * 1
$log = []
for $i in range(2):
    $log.append(($i, $h, <<$h.exp() || $h * $h || $h + 1>>))
    <<$h = $h * 2 || $h.add_(1) || $h = $log[-1][2] || pass>>
$i, $first, $made = $log[<<0 || -1>>]
$h = $made * <<$first || 2 || $y>>
<<$first.add_(1) || pass || $made.mul_(2)>>
""",
        """
$state = dict(net=dict(w=$x * 1, b=$y * 1), step=0)
$q = $state['net']['w'] * <<$state['net']['b'] || $state['net']['w'] || 3>>
$state['step'] += 1
$net = $state['net']
<<$state['net']['w'] += 1 || $net['b'].mul_(2) || pass || $state['net'] = {k: v * 2 for k, v in $net.items()}>>
$h = $q + $state['net'][<<'w' || 'b'>>]
""",
        """
$a = $x * 1
$b = <<$a || $a.clone() || $a.view_as($a) || $a.detach() || $a[:] || $a + 0>>
$q = <<$a * $a || $b.exp() || $a.sigmoid() + $b>>
<<$a, $b = $b, $a || pass || $b = $b * 2>>
<<$b.add_(1) || $a.mul_(2) || pass || $a += $b || $b[0] = 2>>
$h = $q + $a
""",
    ],
}

DATA = [
    Template(text, gives="h", needs=(needed,) if needed else ()) for needed, texts in _TEXTS.items() for text in texts
]

several = maker(DATA)

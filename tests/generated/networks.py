"""Networks as people build them, with activations in place, and what is done to their results."""

from __future__ import annotations

from generated.template import Template, maker

_ACT = (
    "<<nn.ReLU(inplace=True) || nn.ReLU() || nn.Sigmoid() || nn.Tanh() || nn.SiLU(inplace=True) || nn.GELU() || "
    "nn.LeakyReLU(0.1, inplace=True) || nn.ELU(inplace=True) || nn.Hardswish(inplace=True) || nn.Mish() || "
    "nn.ReLU6(inplace=True) || nn.Softplus() || nn.Hardtanh(inplace=True) || nn.Dropout(0.5, inplace=True)>>"
)
_AFTER = "<<pass || $o.add_(1) || $o.mul_(2) || $o[:, 0] = 0 || F.relu($o, inplace=True) || $o = torch.sigmoid($o)>>"
_WALK = "$o.<<sum() || pow(2).mean() || mean()>>.backward()"

_TEXTS = [
    f"""
$net = nn.Sequential(
    nn.Conv2d(2, 4, 3, padding=1),
    <<nn.BatchNorm2d(4) || nn.GroupNorm(2, 4) || nn.InstanceNorm2d(4) || nn.Identity()>>,
    {_ACT},
    <<nn.MaxPool2d(2) || nn.AvgPool2d(2) || nn.Conv2d(4, 4, 2, stride=2)>>, nn.Conv2d(4, 2, 1), {_ACT}
)
$x = torch.rand(2, 2, 4, 4<< || , requires_grad=True>>)
$o = $net($x)
{_AFTER}
{_WALK}
""",
    f"""
class $Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(2, 2, 3, padding=1)
        self.bn = <<nn.BatchNorm2d(2) || nn.Identity()>>
        self.act = {_ACT}
        self.conv2 = nn.Conv2d(2, 2, 1)
        self.down = <<None || nn.Conv2d(2, 2, 1)>>

    def forward(self, x):
        skip = x if self.down is None else self.down(x)
        out = self.act(self.bn(self.conv1(x)))
        out = self.conv2(out)
        <<out += skip || out = out + skip || out.add_(skip) || skip += out; out = skip>>
        return self.act(out)

$net = nn.Sequential(*[$Block() for _ in range(<<1 || 2>>)])
$o = $net(torch.rand(1, 2, 4, 4))
{_AFTER}
{_WALK}
""",
    f"""
class $Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(4, 12)
        self.out = nn.Linear(4, 4)

    def forward(self, x, mask=None):
        q, k, v = self.qkv(x).<<chunk(3, dim=-1) || split(4, dim=-1) || reshape(2, 3, 3, 4).unbind(2)>>
        <<q = q * 0.5 || q *= 0.5 || q.mul_(0.5) || q = q / 2>>
        scores = q @ k.transpose(-2, -1)
        if mask is not None:
            <<scores = scores.masked_fill(mask, -1e9) || scores.masked_fill_(mask, -1e9) || scores += mask * -1e9>>
        weights = scores.softmax(-1)
        <<pass || weights = F.dropout(weights, 0.1) || F.dropout(weights, 0.1, inplace=True) || weights.mul_(0.9)>>
        return self.out(weights @ v)

$net = $Attention()
$o = $net(torch.rand(2, 3, 4)<< || , torch.ones(3, 3).triu(1).bool()>>)
{_AFTER}
{_WALK}
""",
    f"""
class $Tower(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])
        self.norms = nn.ModuleDict({{'a': nn.LayerNorm(width), 'b': nn.BatchNorm1d(width)}})
        self.scale = nn.Parameter(torch.ones(width))
        self.register_buffer('seen', torch.zeros(width))

    def forward(self, x):
        kept = []
        for layer in self.layers:
            x = <<torch.tanh(layer(x)) || layer(x) || F.relu(layer(x), inplace=True) || x + layer(x)>>
            kept.append(x)
            <<pass || x *= self.scale || x.add_(1) || x = x * self.scale>>
        x = self.norms[<<'a' || 'b'>>](x)
        <<self.seen += x.detach().mean(0) || self.seen = self.seen + x.mean(0) || self.seen.add_(1) || pass>>
        return <<x || sum(kept) || torch.cat(kept, 1)[:, :4] || x * kept[0]>>

$net = $Tower()
for $i in range(<<1 || 2>>):
    $o = $net(torch.rand(3, 4))
    {_AFTER}
    {_WALK}
""",
    f"""
$rnn = nn.<<LSTM || GRU || RNN>>(3, 4<< || , batch_first=True || , num_layers=2 || , bidirectional=True>>)
$x = torch.rand(2, 5, 3, requires_grad=True) * 1
$o, $state = $rnn($x)
{_AFTER}
<<$x.mul_(2) || pass || pass>>
{_WALK}
""",
    f"""
$emb = nn.Embedding(5, 4<< || , max_norm=1.0 || , padding_idx=0>>)
$head = nn.Linear(4, 5)
<<$head.weight = $emb.weight || pass>>
$i = torch.tensor([[0, 1], [2, 3]])
$e = $emb($i)
<<$e.mul_(2) || $e = $e * 2 || $e += 1 || pass>>
$o = $head(<<$e || torch.tanh($e) || $e.mean(1)>>)
<<pass || $i.add_(1) || with torch.no_grad(): $emb.weight.mul_(0.5)>>
{_AFTER}
{_WALK}
""",
    f"""
$a, $b = nn.Linear(3, 3), nn.Bilinear(3, 3, 2)
$h = $a(torch.rand(4, 3))
$g = <<torch.sigmoid($h) || F.softmax($h, 1) || F.relu($h) || F.gelu($h) || $h>>
<<$h.mul_($g) || $h = $h * $g || $h *= torch.tanh($g) || $h += $g || $g *= $h>>
$o = $b($h, <<$g || $h || $h.detach()>>)
{_AFTER}
{_WALK}
""",
    f"""
$up = nn.Sequential(
    nn.Unflatten(1, (1, 2, 2)),
    nn.<<Upsample(scale_factor=2) || PixelShuffle(1) || ConvTranspose2d(1, 1, 2)>>,
    {_ACT},
    nn.Flatten(),
)
$o = $up(torch.rand(2, 4<< || , requires_grad=True>>) * 1)
{_AFTER}
if $o.requires_grad: {_WALK}
""",
    f"""
$layer = nn.<<TransformerEncoderLayer || TransformerDecoderLayer>>(4, 2, 8)
$heads = nn.MultiheadAttention(4, 2)
$t = torch.rand(3, 2, 4, requires_grad=True) * 1
$o = $layer($t) if isinstance($layer, nn.TransformerEncoderLayer) else $layer($t, $t)
<<$o = $heads($o, $t, $t)[0] || $o, $weights = $heads($o, $o, $o) || pass || $o = $o + $heads($t, $o, $o)[0]>>
<<pass || $t.add_(1) || $layer.eval()>>
{_AFTER}
{_WALK}
""",
    f"""
$n, $m = nn.Linear(3, 4), nn.Linear(3, 4)
<<$m.load_state_dict($n.state_dict()) || $m.weight = $n.weight || $m.weight.data = $n.weight.data || pass>>
$o = $n(torch.rand(2, 3)) * <<$m(torch.rand(2, 3)) || 2 || $m.weight.sum()>>
with torch.no_grad():
    <<nn.init.zeros_($m.weight) || pass || $n.weight.add_(1) || $m.weight.data.add_(1) || $n.bias.data.zero_()>>
{_WALK}
""",
]

NETWORKS = [Template(text, uses_tensors=False) for text in _TEXTS]

several = maker(NETWORKS)

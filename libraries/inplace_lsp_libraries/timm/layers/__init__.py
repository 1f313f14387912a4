"""timm.layers: the blocks that vision models are built of."""

import torch
from inplace_lsp.modelling import ignores
from torch import nn
from torch.nn import functional as F

DESCRIBES = "timm 1.0"

_PLACE = "where the weights lie does not matter"


class Mlp(nn.Module):
    """Two linear layers with an activation."""

    @ignores("use_conv", "device", "dtype", because=_PLACE)
    def __init__(
        self,
        in_features,
        hidden_features=None,
        out_features=None,
        act_layer=nn.GELU,
        norm_layer=None,
        bias=True,
        drop=0.0,
        use_conv=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        hidden_features = hidden_features or in_features
        self.fc1 = nn.Linear(in_features, hidden_features, bias=bias)
        self.act = act_layer()
        self.drop1 = nn.Dropout(drop)
        self.norm = norm_layer(hidden_features) if norm_layer is not None else nn.Identity()
        self.fc2 = nn.Linear(hidden_features, out_features or in_features, bias=bias)
        self.drop2 = nn.Dropout(drop)

    def forward(self, x):
        """Run both layers."""
        return self.drop2(self.fc2(self.norm(self.drop1(self.act(self.fc1(x))))))


class PatchEmbed(nn.Module):
    """Cuts an image into patches: what it gives is a transposed view of what a convolution computes."""

    @ignores("img_size", "output_fmt", "strict_img_size", "dynamic_img_pad", "device", "dtype", because=_PLACE)
    def __init__(
        self,
        img_size=224,
        patch_size=16,
        in_chans=3,
        embed_dim=768,
        norm_layer=None,
        flatten=True,
        output_fmt=None,
        bias=True,
        strict_img_size=True,
        dynamic_img_pad=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.flatten = flatten
        self.num_patches = 4
        self.proj = nn.Conv2d(in_chans, embed_dim, kernel_size=patch_size, stride=patch_size, bias=bias)
        self.norm = norm_layer(embed_dim) if norm_layer else nn.Identity()

    def forward(self, x):
        """Compute the patches."""
        x = self.proj(x)
        if self.flatten:
            x = x.flatten(2).transpose(1, 2)
        return self.norm(x)


class Attention(nn.Module):
    """Lets each token look at the others."""

    @ignores("num_heads", "attn_head_dim", "attn_drop", "device", "dtype", because=_PLACE)
    def __init__(
        self,
        dim,
        num_heads=8,
        attn_head_dim=None,
        dim_out=None,
        qkv_bias=False,
        qk_norm=False,
        scale_norm=False,
        proj_bias=True,
        gated=False,
        attn_drop=0.0,
        proj_drop=0.0,
        norm_layer=None,
        device=None,
        dtype=None,
    ):
        super().__init__()
        norm_layer = norm_layer or nn.LayerNorm
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.q_norm = norm_layer(dim) if qk_norm else nn.Identity()
        self.k_norm = norm_layer(dim) if qk_norm else nn.Identity()
        self.gate = nn.Linear(dim, dim) if gated else None
        self.norm = norm_layer(dim) if scale_norm else nn.Identity()
        self.proj = nn.Linear(dim, dim_out or dim, bias=proj_bias)
        self.proj_drop = nn.Dropout(proj_drop)

    @ignores("attn_mask", "is_causal", because="the mask has no gradient")
    def forward(self, x, attn_mask=None, is_causal=False):
        """Mix the tokens."""
        gate = self.gate(x).sigmoid() if self.gate is not None else None
        q, k, v = self.qkv(x).unflatten(-1, (3, -1)).permute(2, 0, 1, 3).unbind(0)
        x = F.scaled_dot_product_attention(self.q_norm(q), self.k_norm(k), v)
        x = self.norm(x)
        if gate is not None:
            x = x * gate
        return self.proj_drop(self.proj(x))


class LayerScale(nn.Module):
    """Multiplies with a parameter, in place if told so."""

    @ignores("dim", "init_values", "device", "dtype", because=_PLACE)
    def __init__(self, dim, init_values=1e-05, inplace=False, device=None, dtype=None):
        super().__init__()
        self.inplace = inplace
        self.gamma = nn.Parameter(torch.empty(dim))

    def forward(self, x):
        """Multiply with the scale of each channel."""
        return x.mul_(self.gamma) if self.inplace else x * self.gamma


class LayerScale2d(LayerScale):
    """The same for images."""

    def forward(self, x):
        """Multiply with the scale of each channel."""
        gamma = self.gamma.view(1, -1, 1, 1)
        return x.mul_(gamma) if self.inplace else x * gamma


@ignores("scale_by_keep", because="it is a number")
def drop_path(x, drop_prob=0.0, training=False, scale_by_keep=True):
    """Drop some elements of the batch."""
    if drop_prob == 0.0 or not training:
        return x
    return x * torch.empty(())


class DropPath(nn.Module):
    """Drops some elements of the batch in training."""

    @ignores("scale_by_keep", because="it is a number")
    def __init__(self, drop_prob=0.0, scale_by_keep=True):
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, x):
        """Drop some elements of the batch."""
        return drop_path(x, self.drop_prob, self.training)


@ignores("mean", "std", "a", "b", because="which numbers they are does not matter")
def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    """Fill a tensor with random numbers."""
    return nn.init.trunc_normal_(tensor)


class _Sigmoid(nn.Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, x):
        """Compute the sigmoid, in place if it was asked for."""
        return x.sigmoid_() if self.inplace else x.sigmoid()


class _Tanh(nn.Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, x):
        """Compute the hyperbolic tangent, in place if it was asked for."""
        return x.tanh_() if self.inplace else x.tanh()


_ACTIVATIONS = {
    "relu": nn.ReLU,
    "relu6": nn.ReLU6,
    "leaky_relu": nn.LeakyReLU,
    "elu": nn.ELU,
    "celu": nn.CELU,
    "selu": nn.SELU,
    "gelu": nn.GELU,
    "gelu_tanh": nn.GELU,
    "sigmoid": _Sigmoid,
    "tanh": _Tanh,
    "silu": nn.SiLU,
    "swish": nn.SiLU,
    "mish": nn.Mish,
    "prelu": nn.PReLU,
    "hard_sigmoid": nn.Hardsigmoid,
    "hard_swish": nn.Hardswish,
}
_WITHOUT_INPLACE = (nn.GELU, nn.PReLU)


def get_act_layer(name="relu"):
    """Find the class of an activation by its name."""
    return _ACTIVATIONS.get(name) if isinstance(name, str) else name


def create_act_layer(name, inplace=None, **kwargs):
    """Make an activation by its name."""
    layer = get_act_layer(name)
    if layer is None:
        return None
    if inplace is None or layer in _WITHOUT_INPLACE:
        return layer(**kwargs)
    return layer(inplace=inplace, **kwargs)


class BatchNormAct2d(nn.BatchNorm2d):
    """Normalises, and then calls an activation, in place unless told otherwise."""

    @ignores("device", "dtype", because=_PLACE)
    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        apply_act=True,
        act_layer=nn.ReLU,
        act_kwargs=None,
        inplace=True,
        drop_layer=None,
        device=None,
        dtype=None,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats)
        self.drop = drop_layer() if drop_layer is not None else nn.Identity()
        act = create_act_layer(act_layer, inplace=inplace, **(act_kwargs or {})) if apply_act else None
        self.act = nn.Identity() if act is None else act

    def forward(self, x):
        """Normalise and call the activation."""
        return self.act(self.drop(super().forward(x)))

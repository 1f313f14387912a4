"""timm.models.vision_transformer: transformers over the patches of an image, and their blocks."""

import torch
from inplace_lsp.modelling import ignores
from timm.layers import Attention, DropPath, LayerScale, Mlp, PatchEmbed, get_act_layer
from torch import nn
from torch.utils.checkpoint import checkpoint_sequential

DESCRIBES = "timm 1.0"

_PLACE = "where the weights lie, and what they are before training, does not matter"
_LAYERS = "the parts that a few variants have besides keep nothing of what is seen from outside"


class Block(nn.Module):
    """Attention and a feed-forward part, each added to what it was given."""

    @ignores("depth", "device", "dtype", because=_PLACE)
    def __init__(
        self,
        dim,
        num_heads,
        mlp_ratio=4.0,
        qkv_bias=False,
        qk_norm=False,
        scale_attn_norm=False,
        scale_mlp_norm=False,
        proj_bias=True,
        proj_drop=0.0,
        attn_drop=0.0,
        init_values=None,
        drop_path=0.0,
        act_layer=nn.GELU,
        norm_layer=nn.LayerNorm,
        mlp_layer=Mlp,
        attn_layer=Attention,
        depth=0,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.norm1 = norm_layer(dim)
        attention = Attention if isinstance(attn_layer, str) else attn_layer
        self.attn = attention(
            dim,
            num_heads=num_heads,
            qkv_bias=qkv_bias,
            qk_norm=qk_norm,
            scale_norm=scale_attn_norm,
            proj_bias=proj_bias,
            attn_drop=attn_drop,
            proj_drop=proj_drop,
            norm_layer=norm_layer,
        )
        self.ls1 = LayerScale(dim, init_values=init_values) if init_values else nn.Identity()
        self.drop_path1 = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()
        self.norm2 = norm_layer(dim)
        self.mlp = mlp_layer(
            in_features=dim,
            hidden_features=int(dim * mlp_ratio),
            act_layer=act_layer,
            norm_layer=norm_layer if scale_mlp_norm else None,
            bias=proj_bias,
            drop=proj_drop,
        )
        self.ls2 = LayerScale(dim, init_values=init_values) if init_values else nn.Identity()
        self.drop_path2 = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()

    def forward(self, x, attn_mask=None, is_causal=False):
        """Mix the tokens, then each for itself."""
        x = x + self.drop_path1(self.ls1(self.attn(self.norm1(x), attn_mask=attn_mask, is_causal=is_causal)))
        return x + self.drop_path2(self.ls2(self.mlp(self.norm2(x))))


class VisionTransformer(nn.Module):
    """Patches with positions, blocks, a norm, and a head over what is pooled."""

    @ignores("pool_include_prefix", "patch_drop_rate", "weight_init", "fix_init", "device", "dtype", because=_PLACE)
    @ignores("dynamic_img_pad", "embed_norm_layer", because=_LAYERS)
    def __init__(
        self,
        img_size=224,
        patch_size=16,
        in_chans=3,
        num_classes=1000,
        global_pool="token",
        embed_dim=768,
        depth=12,
        num_heads=12,
        mlp_ratio=4.0,
        qkv_bias=True,
        qk_norm=False,
        scale_attn_norm=False,
        scale_mlp_norm=False,
        proj_bias=True,
        init_values=None,
        class_token=True,
        pos_embed="learn",
        no_embed_class=False,
        reg_tokens=0,
        pre_norm=False,
        final_norm=True,
        fc_norm=None,
        pool_include_prefix=False,
        dynamic_img_size=False,
        dynamic_img_pad=False,
        drop_rate=0.0,
        pos_drop_rate=0.0,
        patch_drop_rate=0.0,
        proj_drop_rate=0.0,
        attn_drop_rate=0.0,
        drop_path_rate=0.0,
        weight_init="",
        fix_init=False,
        embed_layer=PatchEmbed,
        embed_norm_layer=None,
        norm_layer=None,
        act_layer=None,
        block_fn=Block,
        mlp_layer=Mlp,
        attn_layer=Attention,
        device=None,
        dtype=None,
    ):
        super().__init__()
        norm_layer = norm_layer or nn.LayerNorm
        pools = global_pool in ("avg", "avgmax", "max") if fc_norm is None else fc_norm
        self.num_classes, self.global_pool = num_classes, global_pool
        self.num_features = self.head_hidden_size = self.embed_dim = embed_dim
        self.num_prefix_tokens = (1 if class_token else 0) + reg_tokens
        self.num_reg_tokens, self.has_class_token = reg_tokens, class_token
        self.no_embed_class, self.dynamic_img_size = no_embed_class, dynamic_img_size
        self.grad_checkpointing = False
        self.patch_embed = embed_layer(
            img_size=img_size, patch_size=patch_size, in_chans=in_chans, embed_dim=embed_dim, bias=not pre_norm
        )
        self.cls_token = nn.Parameter(torch.empty(1, 1, embed_dim)) if class_token else None
        self.reg_token = nn.Parameter(torch.empty(1, reg_tokens, embed_dim)) if reg_tokens else None
        self.pos_embed = nn.Parameter(torch.empty(1, 4, embed_dim)) if pos_embed == "learn" else None
        self.pos_drop = nn.Dropout(pos_drop_rate)
        self.patch_drop = nn.Identity()
        self.norm_pre = norm_layer(embed_dim) if pre_norm else nn.Identity()
        self.blocks = nn.Sequential(
            *[
                block_fn(
                    dim=embed_dim,
                    num_heads=num_heads,
                    mlp_ratio=mlp_ratio,
                    qkv_bias=qkv_bias,
                    qk_norm=qk_norm,
                    scale_attn_norm=scale_attn_norm,
                    scale_mlp_norm=scale_mlp_norm,
                    proj_bias=proj_bias,
                    init_values=init_values,
                    proj_drop=proj_drop_rate,
                    attn_drop=attn_drop_rate,
                    drop_path=drop_path_rate,
                    norm_layer=norm_layer,
                    act_layer=get_act_layer(act_layer) or nn.GELU,
                    mlp_layer=mlp_layer,
                    attn_layer=attn_layer,
                    depth=i,
                )
                for i in range(depth)
            ]
        )
        self.norm = norm_layer(embed_dim) if final_norm and not pools else nn.Identity()
        self.attn_pool = None
        self.fc_norm = norm_layer(embed_dim) if final_norm and pools else nn.Identity()
        self.head_drop = nn.Dropout(drop_rate)
        self.head = nn.Linear(embed_dim, num_classes) if num_classes > 0 else nn.Identity()

    def get_classifier(self):
        """Return the head."""
        return self.head

    def reset_classifier(self, num_classes, global_pool=None):
        """Put another head in place of the one there is."""
        self.num_classes = num_classes
        if global_pool is not None:
            self.global_pool = global_pool
        self.head = nn.Linear(self.embed_dim, num_classes) if num_classes > 0 else nn.Identity()

    def set_grad_checkpointing(self, enable=True):
        """Compute the blocks again at backward."""
        self.grad_checkpointing = enable

    def _pos_embed(self, x):
        prefix = [token.expand(x.shape[0], -1, -1) for token in (self.cls_token, self.reg_token) if token is not None]
        if self.pos_embed is None:
            return torch.cat([*prefix, x], dim=1)
        if self.no_embed_class:
            x = x + self.pos_embed
            return self.pos_drop(torch.cat([*prefix, x], dim=1) if prefix else x)
        return self.pos_drop((torch.cat([*prefix, x], dim=1) if prefix else x) + self.pos_embed)

    def forward_features(self, x, attn_mask=None, is_causal=False):
        """Run all layers but the head."""
        x = self.norm_pre(self.patch_drop(self._pos_embed(self.patch_embed(x))))
        if attn_mask is not None or is_causal:
            for block in self.blocks:
                x = block(x, attn_mask=attn_mask, is_causal=is_causal)
        elif self.grad_checkpointing:
            x = checkpoint_sequential(self.blocks, 2, x, use_reentrant=False)
        else:
            x = self.blocks(x)
        return self.norm(x)

    def pool(self, x, pool_type=None):
        """Take the first token, or put the tokens together."""
        kind = self.global_pool if pool_type is None else pool_type
        if kind == "token":
            return x[:, 0]
        if not kind:
            return x
        tokens = x[:, self.num_prefix_tokens :]
        return tokens.mean(dim=1) if kind == "avg" else tokens.amax(dim=1)

    def forward_head(self, x, pre_logits=False):
        """Pool the features and run the head."""
        x = self.head_drop(self.fc_norm(self.pool(x)))
        return x if pre_logits else self.head(x)

    def forward(self, x, attn_mask=None, is_causal=False):
        """Classify images."""
        return self.forward_head(self.forward_features(x, attn_mask=attn_mask, is_causal=is_causal))

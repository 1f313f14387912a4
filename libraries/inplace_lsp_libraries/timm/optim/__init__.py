"""timm.optim: optimizers made by their name."""

import torch
from inplace_lsp.modelling import ignores
from torch import nn

DESCRIBES = "timm 1.0"


@ignores(
    "opt",
    "lr",
    "weight_decay",
    "momentum",
    "foreach",
    "filter_bias_and_bn",
    "fallback_list",
    "fallback_no_weight_decay",
    "layer_decay",
    "layer_decay_min_scale",
    "layer_decay_no_opt_scale",
    "param_group_fn",
    "kwargs",
    because="each of them writes all parameters when it steps",
)
def create_optimizer_v2(
    model_or_params,
    opt="sgd",
    lr=None,
    weight_decay=0.0,
    momentum=0.9,
    foreach=None,
    filter_bias_and_bn=True,
    fallback_list=(),
    fallback_no_weight_decay=False,
    layer_decay=None,
    layer_decay_min_scale=0.0,
    layer_decay_no_opt_scale=None,
    param_group_fn=None,
    **kwargs,
):
    """Make an optimizer of the parameters."""
    is_module = isinstance(model_or_params, nn.Module)
    return torch.optim.AdamW(model_or_params.parameters() if is_module else model_or_params)


@ignores("args", "filter_bias_and_bn", because="each of them writes all parameters when it steps")
def create_optimizer(args, model, filter_bias_and_bn=True):
    """Make an optimizer of the parameters."""
    return create_optimizer_v2(model)

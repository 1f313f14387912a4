"""torch.nn.utils.clip_grad: where torch.nn.utils has them from."""

from torch.nn.utils import clip_grad_norm, clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_

DESCRIBES = "torch 2.13"

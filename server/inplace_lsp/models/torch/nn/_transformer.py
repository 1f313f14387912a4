"""The stacks of torch.nn.modules.transformer: copies of a layer, called one after the other."""

import copy

import torch
from inplace_lsp.modelling import ignores
from torch.nn import LayerNorm, Module, ModuleList, TransformerDecoderLayer, TransformerEncoderLayer

DESCRIBES = "torch 2.13"

_FAST = "the fast path is for inference, without a graph"
_CAUSAL = "which positions see which says nothing of what is kept"


class TransformerEncoder(Module):
    """A stack of encoder layers."""

    @ignores("enable_nested_tensor", "mask_check", because=_FAST)
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = _copy_layers(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    @ignores("is_causal", because=_CAUSAL)
    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        """Call the layers one after the other."""
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Module):
    """A stack of decoder layers."""

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _copy_layers(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    @ignores("tgt_is_causal", "memory_is_causal", because=_CAUSAL)
    def forward(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        """Call the layers one after the other, each with the encoder's memory."""
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
            )
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """An encoder and a decoder."""

    @ignores("device", "dtype", because="devices of tensors and precisions of layers are not distinguished")
    def __init__(
        self,
        d_model=512,
        nhead=8,
        num_encoder_layers=6,
        num_decoder_layers=6,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        custom_encoder=None,
        custom_decoder=None,
        layer_norm_eps=1e-05,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        sizes = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        self.encoder = custom_encoder
        if custom_encoder is None:
            layer = TransformerEncoderLayer(*sizes)
            self.encoder = TransformerEncoder(layer, num_encoder_layers, LayerNorm(d_model))
        self.decoder = custom_decoder
        if custom_decoder is None:
            layer = TransformerDecoderLayer(*sizes)
            self.decoder = TransformerDecoder(layer, num_decoder_layers, LayerNorm(d_model))

    @ignores("src_is_causal", "tgt_is_causal", "memory_is_causal", because=_CAUSAL)
    def forward(
        self,
        src,
        tgt,
        src_mask=None,
        tgt_mask=None,
        memory_mask=None,
        src_key_padding_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        src_is_causal=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        """Call the encoder, and the decoder with what that gives."""
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
        )

    @staticmethod
    @ignores("device", "dtype", because="devices of tensors and precisions of masks are not distinguished")
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        """Make a mask that hides what comes later."""
        return torch.triu(torch.full((sz, sz), -1e38), diagonal=1)


def _copy_layers(layer, count):
    return ModuleList([copy.deepcopy(layer) for _ in range(count)])

"""What torch's functions and layers ask of the shapes of their tensors, as far as it helps to find inputs.

A signature names the dims of each tensor argument: `b in h w, out in 3 3 -> b out h2 w2`. A name that comes twice is
one size; a leading `...` stands for any dims and is the same everywhere in a signature; `=` is the whole shape of the
first argument; a number is itself; `long`, `bool` after a colon is the dtype; `_` is not looked at.
The table orders the search, it does not decide: what runs is decided by running.
"""

from __future__ import annotations

FUNCTIONS: dict[str, str] = {
    "linear": "... i, o i, o -> ... o",
    "bilinear": "... i, ... j, o i j, o -> ... o",
    "conv1d": "b i t, o i 3, o -> b o t2",
    "conv2d": "b i h w, o i 3 3, o -> b o h2 w2",
    "conv3d": "b i d h w, o i 3 3 3, o -> b o d2 h2 w2",
    "conv_transpose1d": "b i t, i o 3, o -> b o t2",
    "conv_transpose2d": "b i h w, i o 3 3, o -> b o h2 w2",
    "embedding": "...:long, v d -> ... d",
    "cross_entropy": "b c, b:long ->",
    "nll_loss": "b c, b:long ->",
    "mse_loss": "..., = ->",
    "l1_loss": "..., = ->",
    "smooth_l1_loss": "..., = ->",
    "huber_loss": "..., = ->",
    "kl_div": "..., = ->",
    "binary_cross_entropy": "..., = ->",
    "binary_cross_entropy_with_logits": "..., = ->",
    "cosine_similarity": "... d, ... d -> ...",
    "mm": "n k, k m -> n m",
    "bmm": "b n k, b k m -> b n m",
    "mv": "n k, k -> n",
    "dot": "n, n ->",
    "outer": "n, m -> n m",
    "matmul": "... n k, ... k m -> ... n m",
    "baddbmm": "b n m, b n k, b k m -> b n m",
    "addmm": "n m, n k, k m -> n m",
    "addmv": "n, n k, k -> n",
    "gather": "..., _, =:long -> =",
    "scatter": "..., _, =:long, = -> =",
    "scatter_": "..., _, =:long, = -> =",
    "scatter_add": "..., _, =:long, = -> =",
    "scatter_add_": "..., _, =:long, = -> =",
    "index_select": "..., _, n:long -> ...",
    "index_add": "..., _, n:long, _ -> =",
    "index_add_": "..., _, n:long, _ -> =",
    "index_copy_": "..., _, n:long, _ -> =",
    "index_fill_": "..., _, n:long -> =",
    "masked_fill": "..., =:bool -> =",
    "masked_fill_": "..., =:bool -> =",
    "masked_select": "..., =:bool -> n",
    "masked_scatter": "..., =:bool, = -> =",
    "masked_scatter_": "..., =:bool, = -> =",
    "where": "...:bool, =, = -> =",
    "lerp": "..., =, = -> =",
    "lerp_": "..., =, = -> =",
    "addcmul": "..., =, = -> =",
    "addcmul_": "..., =, = -> =",
    "addcdiv": "..., =, = -> =",
    "addcdiv_": "..., =, = -> =",
    "copy_": "..., = -> =",
    "one_hot": "...:long -> ... v",
    "scaled_dot_product_attention": "... t d, ... s d, ... s d -> ... t d",
    "layer_norm": "... -> =",
    "batch_norm": "..., _, _ -> =",
    "group_norm": "... -> =",
    "normalize": "... -> =",
    "interpolate": "b c h w -> b c h2 w2",
    "grid_sample": "b c h w, b h2 w2 2 -> b c h2 w2",
    "affine_grid": "b 2 3 -> b h w 2",
    "pixel_shuffle": "b c h w -> b c2 h2 w2",
    "pad": "... -> _",
    "max_pool2d": "b c h w -> b c h2 w2",
    "avg_pool2d": "b c h w -> b c h2 w2",
    "adaptive_avg_pool2d": "b c h w -> b c h2 w2",
    "max_pool1d": "b c t -> b c t2",
    "avg_pool1d": "b c t -> b c t2",
    "cross": "... 3, ... 3 -> =",
    "inverse": "... n n -> =",
    "inv": "... n n -> =",
    "det": "... n n -> ...",
    "cholesky": "... n n -> =",
    "trace": "n n ->",
    "cdist": "b n d, b m d -> b n m",
}
"""By the last name, for `torch.f`, `F.f` and `tensor.f` alike."""

LAYERS: dict[str, tuple[str, str]] = {
    "Linear": ("i o", "... i -> ... o"),
    "Bilinear": ("i j o", "... i, ... j -> ... o"),
    "Conv1d": ("i o", "b i t -> b o t2"),
    "Conv2d": ("i o", "b i h w -> b o h2 w2"),
    "Conv3d": ("i o", "b i d h w -> b o d2 h2 w2"),
    "ConvTranspose1d": ("i o", "b i t -> b o t2"),
    "ConvTranspose2d": ("i o", "b i h w -> b o h2 w2"),
    "ConvTranspose3d": ("i o", "b i d h w -> b o d2 h2 w2"),
    "BatchNorm1d": ("i", "b i -> ="),
    "BatchNorm2d": ("i", "b i h w -> ="),
    "BatchNorm3d": ("i", "b i d h w -> ="),
    "InstanceNorm2d": ("i", "b i h w -> ="),
    "GroupNorm": ("g i", "b i h w -> ="),
    "LayerNorm": ("i", "... i -> ="),
    "RMSNorm": ("i", "... i -> ="),
    "Embedding": ("v d", "...:long -> ... d"),
    "EmbeddingBag": ("v d", "b t:long -> b d"),
    "LSTM": ("i h", "b t i -> b t h"),
    "GRU": ("i h", "b t i -> b t h"),
    "RNN": ("i h", "b t i -> b t h"),
    "LSTMCell": ("i h", "b i -> b h"),
    "GRUCell": ("i h", "b i, b h -> b h"),
    "RNNCell": ("i h", "b i, b h -> b h"),
    "MultiheadAttention": ("d n", "b t d, b t d, b t d -> b t d"),
    "TransformerEncoderLayer": ("d n", "b t d -> ="),
    "TransformerDecoderLayer": ("d n", "b t d, b s d -> ="),
    "MaxPool1d": ("", "b c t -> b c t2"),
    "MaxPool2d": ("", "b c h w -> b c h2 w2"),
    "AvgPool2d": ("", "b c h w -> b c h2 w2"),
    "AdaptiveAvgPool2d": ("", "b c h w -> b c h2 w2"),
    "AdaptiveMaxPool2d": ("", "b c h w -> b c h2 w2"),
    "AdaptiveAvgPool1d": ("", "b c t -> b c t2"),
    "PixelShuffle": ("", "b c h w -> b c2 h2 w2"),
    "Upsample": ("", "b c h w -> b c h2 w2"),
    "CrossEntropyLoss": ("", "b c, b:long ->"),
    "NLLLoss": ("", "b c, b:long ->"),
    "MSELoss": ("", "..., = ->"),
    "L1Loss": ("", "..., = ->"),
    "SmoothL1Loss": ("", "..., = ->"),
    "BCELoss": ("", "..., = ->"),
    "BCEWithLogitsLoss": ("", "..., = ->"),
}
"""By class name: the names of the first constructor arguments, and the signature in terms of them."""

SAME_SHAPE = frozenset(
    """abs acos add add_ alpha_dropout angle asin atan bernoulli cdouble ceil celu clamp clamp_ clip clip_ clone
    contiguous cos cosh cpu cuda cumprod cumsum detach detach_ div div_ double dropout elu elu_ erf exp exp_ expm1 fill_
    flip float floor frac gelu half hardsigmoid hardswish hardtanh leaky_relu leaky_relu_ log log1p log2 log_softmax
    logsigmoid masked_fill mish mul mul_ nan_to_num neg neg_ normal_ ones_like pow pow_ rand_like randn_like
    reciprocal relu relu6 relu_ requires_grad_ roll round rsqrt selu sigmoid sigmoid_ sign silu sin sinh softmax
    softplus softsign sqrt sqrt_ square sub sub_ tan tanh tanh_ threshold_ to tril tril_ triu triu_ type_as uniform_
    zero_ zeros_like empty_like full_like bfloat16 maximum minimum
    ReLU ReLU6 LeakyReLU ELU SELU CELU GELU SiLU Mish Sigmoid Tanh Softplus Softmax LogSoftmax Hardswish Hardsigmoid
    Hardtanh PReLU Dropout Dropout2d Dropout3d AlphaDropout Identity DropPath""".split()
)
"""Functions, methods and layers whose result has the shape of their first tensor; further tensors are like it."""

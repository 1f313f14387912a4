"""Conventions in names: `lr` is a small number, `num_heads` divides, `mask` is bool, `images` have four dims.

Only an order of the search comes out of this: what runs is decided by running.
"""

from __future__ import annotations

from inplace_lsp.uses.reading import WIDTHS
from inplace_lsp.uses.types import Dtype
from inplace_lsp.verify.inputs.recipes import Group, Number, Recipe, Tensor, Text

MODEL = "trial_model"
"""What the setup calls the first model of a run, so that an optimizer steps the model that is trained. The others have
a number behind it."""
MODELS = 6
"""Maximum number of models that the setup makes."""
OPTIMIZER = f"torch.optim.SGD({MODEL}.parameters(), lr=0.1)"
PARTLY = "build_partly"
"""What the setup calls the function that makes an object whose constructor does not run through."""
PREPARED = "prepare"
"""What the setup calls the function that makes an object ready by calls of its methods."""
INVENTED = "add_missing"
"""What the setup calls the function that gives such an object the attributes that it lacks."""
LAYER = "InventedLayer"
"""What the setup calls a layer that keeps nothing for its backward."""
LOADER = "InventedLoader"
"""What the setup calls a loader of batches."""
ENVIRONMENT = "make_environment"
"""What the setup calls the function that makes an environment for agents."""
WIDTH = 32
"""Divisible by the usual numbers of heads and groups."""
BATCH = 2
SPARE_MODEL = f"InventedModel({WIDTH})"
"""A model of which nothing else holds a part."""
_NUMBERED = [f"{MODEL}_{number}" for number in range(2, MODELS + 1)]
MODEL_SETUP = (
    "from inplace_lsp.worker.invented import InventedModel\n"
    f"{MODEL}, {', '.join(_NUMBERED)} = ({SPARE_MODEL} for _ in range({MODELS}))\n"
    f"for one in ({MODEL}, {', '.join(_NUMBERED)}):\n"
    f"    one(torch.randn({BATCH}, {WIDTH})).sum().backward()\n"
)
SETUPS = {
    **dict.fromkeys((MODEL, *_NUMBERED), MODEL_SETUP),
    SPARE_MODEL: "from inplace_lsp.worker.invented import InventedModel\n",
    PARTLY: f"from inplace_lsp.worker.unfinished import {PARTLY}\n",
    PREPARED: f"from inplace_lsp.worker.unfinished import {PREPARED}\n",
    LAYER: f"from inplace_lsp.worker.invented import {LAYER}\n",
    INVENTED: f"from inplace_lsp.worker.unfinished import {INVENTED}\n",
    LOADER: f"from inplace_lsp.worker.invented import {LOADER}\n",
    ENVIRONMENT: f"from inplace_lsp.worker.environments import {ENVIRONMENT}\n",
}
"""The names that inputs may use and no file binds, each with what makes it."""
SPACE = 16
TIME = 8

_SIZES = {
    SPACE: """h w height width h1 w1 image_size img_size input_size resolution input_resolution feat_size""",
    TIME: """t s l seq seqlen seq_len seq_length length time tokens num_tokens n_tokens block_size max_len max_length
        context_length src_len tgt_len num_patches n_ctx""",
    4: """nh heads num_heads n_head n_heads nhead n_layer num_attention_heads patch_size window_size window ws win_size
        num_points num_queries k head chunk_size""",
    3: "kernel_size kernel ksize ks k_size in_chans xyz rgb num_frames",
    2: """b n bs bsz batch batch_size nb depth depths num_layers n_layers layers num_blocks n_blocks blocks
        num_steps steps scale_factor upscale upscale_factor factor expansion ratio mlp_ratio mult num_levels
        n_levels order level dimensions n_dims num_dims spatial_dims ndim""",
    1: """count stride groups dilation padding num_groups epochs epoch axis index start step i batch_idx""",
    10: "num_classes n_classes classes nclass num_labels out_classes",
    32: """vocab vocab_size num_embeddings n_vocab v ntoken num_tokens_total max_position_embeddings""",
    0: "padding_idx pad_idx offset dim_idx pad",
}
SIZES = {name: value for value, names in _SIZES.items() for name in names.split()}
_FLOATS = {
    0.1: """lr learning_rate alpha momentum weight_decay wd sigma std noise noise_std tau decay step_size
        gamma_init""",
    0.5: """beta beta1 beta2 gamma p prob rate scale temperature t_scale threshold thresh lam lambda slope
        negative_slope weight_factor factor""",
    1e-6: "eps epsilon tol",
    0.0: """dropout drop drop_rate drop_path attn_drop proj_drop dropout_p dropout_rate p_drop attention_dropout
        bias_init""",
}
FLOATS = {name: value for value, names in _FLOATS.items() for name in names.split()}

_TRUTH = "is use with has return do should enable add".split()
BOOLS = {
    **dict.fromkeys("inplace training train affine bias qkv_bias keepdim batch_first learnable".split(), True),
    **dict.fromkeys("causal is_causal bidirectional verbose debug normalize reverse residual".split(), False),
}

_STRINGS = {
    "reduction": "'mean'",
    "padding_mode": "'zeros'",
    "activation": "'relu'",
    "act": "'relu'",
    "nonlinearity": "'relu'",
    "norm": "'batch'",
    "prefix": "''",
    "name": "'name'",
}

_OBJECTS = {
    "torch.nn.MSELoss()": "criterion loss_fn loss_func loss_function lossfn crit mse",
    "torch.nn.functional.relu": "activation_fn act_fn nonlin",
    f"{LAYER}()": "norm fn func layer block sublayer backbone encoder decoder head module downsample shortcut",
    "torch.nn.ReLU": "act_layer activation_layer act_cls",
    "torch.nn.BatchNorm2d": "norm_layer",
    MODEL: "model net network teacher student generator discriminator actor critic policy",
    OPTIMIZER: "optimizer optim opt optimiser",
    "torch.float32": "dtype",
    "torch.device('cpu')": "device",
    "list(trial_model.parameters())": "params parameters param_list",
    "trial_model.state_dict()": "state_dict sd checkpoint ckpt",
    "'file'": "path filename file fname filepath file_path root folder directory url dir outdir logdir savedir",
    "None": "scheduler lr_scheduler scaler writer logger callback generator rng past_key_values cache past",
}
OBJECTS = {name: source for source, names in _OBJECTS.items() for name in names.split()}
_CALLED = {name: source for source, names in _OBJECTS.items() if source != "None" for name in names.split()}
"""Those that the code calls: a `generator` is a model then."""

_RANKS = {
    0: "loss total_loss",
    1: """idx index indices perm weight_vector lengths mean var running_mean running_var bias v vec vector timesteps
        timestep rewards advantages returns""",
    2: """weight weights w mat matrix m a_mat labels_onehot logits preds adj logit z latent scores boxes
        embeddings state""",
    3: """hidden hidden_states tokens query queries key keys value values q k v src tgt memory emb embedding embeds
        sequence attn_output seq encoder_hidden_states context points patches inputs_embeds""",
    4: """image images img imgs feat feats feature_map features pixels frame frames pixel_values attn attention
        attn_weights photo sample heatmap depth_map flow maps""",
}
RANKS = {name: rank for rank, names in _RANKS.items() for name in names.split()}
_LONG = """idx index indices ids input_ids token_ids labels label target targets tokens timesteps timestep position_ids
    token_type_ids positions lengths edge_index perm y_true classes tgt_ids input_tokens class_labels""".split()
_WHOLE = frozenset("idx idxs index indices inds ids labels".split())
_NO_GRAD = "running_mean running_var buffer buf out mask".split()


def last_word(name: str) -> str:
    """Return the last word of a name."""
    return name.rstrip("_0123456789").rpartition("_")[2]


def is_tensor_like(name: str) -> bool:
    """Return whether a constructor's parameter of that name is no plain number."""
    low = name.lower()
    return (len(low) > 2 and low in RANKS) or last_word(low) in ("tensor", "matrix", "mask", "init", "embeddings")


_SETTINGS = frozenset("config cfg args opt conf hparams opts options flags params settings hyperparams".split())
_LOADERS = frozenset("loader dataloader dataset batches dl loaders iterator".split())


def is_settings(name: str) -> bool:
    """Return whether configurations have such names."""
    low = name.lower().rstrip("_")
    return low in _SETTINGS or (last_word(low) in _SETTINGS and last_word(low) != "params")


def is_loader(name: str) -> bool:
    """Return whether loaders of batches have such names."""
    low = name.lower()
    return low in _LOADERS or last_word(low) in _LOADERS or low in ("train_data", "train_iter", "data_iter")


def is_batch(name: str) -> bool:
    """Return whether the name is plural or means several values: a batch, a pair."""
    low = name.lower()
    many = low in "batch data sample pair inputs args sample item state hidden hx".split()
    return many or (low.endswith("s") and len(low) > 1 and low not in RANKS)


def size_for(name: str) -> int:
    """Return a size guessed from its name."""
    low = name.lower()
    if low in SIZES:
        return SIZES[low]
    if low not in WIDTHS and last_word(low) in SIZES and last_word(low) != "size":
        return SIZES[last_word(low)]
    return 4 if low.startswith(("num_", "n_")) else WIDTH


def number_for(name: str) -> Number:
    """Return a number guessed from its name."""
    low = name.lower()
    value = FLOATS.get(low, FLOATS.get(last_word(low)))
    return Number(value if value is not None and low not in WIDTHS else size_for(low))


_COUNTS = frozenset("count iters iterations interval freq frequency".split())
"""Last words of names of numbers."""


def is_number(name: str) -> bool:
    """Return whether numbers usually have such a name."""
    low = name.lower()
    known = low in SIZES or low in WIDTHS or low in FLOATS or low.startswith(("num_", "n_", "max_", "min_"))
    known = known or last_word(low) in _COUNTS
    return known and len(low) > 1


def is_bool(name: str) -> bool:
    """Return whether the name asks a question."""
    return name.lower() in BOOLS or name.lower().split("_")[0] in _TRUTH


def bool_for(name: str) -> Text:
    """Return True or False as its name suggests."""
    return Text(str(BOOLS.get(name.lower(), False)))


def text_for(name: str) -> Recipe:
    """Return a text guessed from its name."""
    return Text(_STRINGS.get(name.lower(), "'mean'" if last_word(name) in ("mode", "reduction") else "'relu'"))


def object_for(name: str, *, called: bool = False) -> Recipe | None:
    """Return an object guessed from its name: a loss function, an optimizer, a device."""
    objects = _CALLED if called else OBJECTS
    low = name.lower()
    if is_loader(low):
        pair = Group("(", (("0", Tensor((BATCH, WIDTH), grad=False)), ("1", Tensor((BATCH, WIDTH), grad=False))))
        return Group(LOADER, (("0", pair),))
    known = low in SIZES or low in WIDTHS or low.startswith(("num_", "n_"))
    source = objects.get(low, objects.get(last_word(low)) if "_" in low and not known else None)
    if source is None and _is_lettered_network(name):
        source = MODEL
    return Text(source) if source is not None else None


def _is_lettered_network(name: str) -> bool:
    """Return whether networks have such names: `netD`, `net_g`, `netG_A`."""
    rest = name.removeprefix("net")
    letter = rest.strip("_").partition("_")[0]
    return rest != name and len(letter) == 1 and letter.isalpha() and (rest[0] == "_" or letter.isupper())


def rank(name: str) -> int | None:
    """Return the rank of a tensor of that name."""
    low = name.lower()
    return RANKS.get(low, RANKS.get(last_word(low)))


def dtype_for(name: str) -> Dtype:
    """Return the dtype of a tensor of that name."""
    low = name.lower()
    if low == "mask" or last_word(low) == "mask":
        return "bool"
    return "long" if low in _LONG or last_word(low) in _WHOLE else "float"


def wants_grad(name: str) -> bool:
    """Return whether gradients usually flow through a floating tensor of that name."""
    return name.lower() not in _NO_GRAD


def default_shape(rank: int) -> tuple[int, ...]:
    """Return a shape for a tensor of known rank."""
    usual = {0: (), 1: (WIDTH,), 2: (BATCH, WIDTH), 3: (BATCH, TIME, WIDTH), 4: (BATCH, WIDTH, SPACE, SPACE)}
    return usual.get(rank, (BATCH, WIDTH, *(SPACE // 2,) * (rank - 2)))

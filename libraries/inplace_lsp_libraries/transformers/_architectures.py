"""Models of transformers by the parts that can be seen from outside: embeddings, layers, a last norm, a head.

No module of transformers is called so: `transformers` takes its models from here, by their names.
"""

import torch
from inplace_lsp.modelling import ignores
from torch import nn
from torch.nn import functional as F
from transformers.cache_utils import Cache
from transformers.modeling_outputs import ModelOutput
from transformers.modeling_utils import PreTrainedModel

DESCRIBES = "transformers 4.40 to 5.23"

_TABLES = ("wte", "embed_tokens", "word_embeddings", "shared", "tokens_embed", "embed_in", "word_embedding")
_STACKS = ("layer", "layers", "h", "block", "blocks")
_HEADS = (
    "classifier",
    "lm_head",
    "score",
    "qa_outputs",
    "cls",
    "head",
    "fc",
    "embed_out",
    "proj_out",
    "vocab_projector",
)
_BODIES = ("transformer", "model", "base_model", "backbone", "encoder")
_POOLED = ("Bert", "Roberta", "XLMRoberta", "Albert", "Camembert", "Ernie", "MegatronBert", "BigBird", "LayoutLM",
           "LayoutLMv2", "LayoutLMv3", "MPNet", "RemBert", "Splinter", "Longformer", "Mobile", "MobileBert", "ViT",
           "DeiT", "Beit", "Dpt", "VideoMAE", "ViTMAE", "XLMRobertaXL", "Data2VecText", "Auto")  # fmt: skip
"""Families whose base model ends with a layer and a tanh over the first token."""
_SIGNALS = ("ViT", "DeiT", "Beit", "Dinov2", "Dinov3", "Swin", "ConvNext", "ResNet", "Segformer", "MobileViT",
            "VideoMAE", "Hiera", "DPT", "Yolos", "Detr", "CLIPVision", "SiglipVision", "Wav2Vec2", "Hubert", "WavLM",
            "AST", "Whisper")  # fmt: skip
"""Families that read images or sounds."""
_TWO_SIDED = ("ForConditionalGeneration", "ForSeq2SeqLM", "ForSpeechSeq2Seq", "ForVision2Seq")


_NAMES = {
    "query": ("q_proj", "q_lin", "c_attn", "query_key_value", "q"),
    "key": ("k_proj", "k_lin", "k"),
    "value": ("v_proj", "v_lin", "v"),
    "dense": ("o_proj", "c_proj", "c_fc", "down_proj", "up_proj", "gate_proj", "out_proj", "fc1", "fc2", "out_lin"),
    "norm": ("input_layernorm", "post_attention_layernorm", "ln_1", "ln_2", "LayerNorm", "layernorm_before"),
}
_PLACES = {name: place for place, names in _NAMES.items() for name in names}
"""Where a layer has what families call by other names."""


class Embeddings(nn.Module):
    """Tokens, or patches of a signal, become vectors; a lookup keeps its indices only."""

    def __init__(self, config, signals):
        super().__init__()
        self.signals = signals
        if signals:
            self.patch_embeddings = nn.Conv2d(3, config.hidden_size, config.patch_size)
            self.cls_token = nn.Parameter(torch.empty(()))
            self.position_embeddings = nn.Parameter(torch.empty(()))
        else:
            self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
            self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)

    def forward(self, inputs=None, embeds=None):
        """Look the tokens up, or cut the signal into patches, and add the positions."""
        if self.signals:
            return self.patch_embeddings(inputs).flatten(2) + self.position_embeddings
        if embeds is None:
            embeds = self.word_embeddings(inputs)
        return embeds + self.position_embeddings(torch.arange(1))

    def __getattr__(self, name):
        if name in _TABLES and not self.signals:
            return self.word_embeddings
        raise AttributeError(name)


class Layer(nn.Module):
    """Attention and a feed-forward part, each added to what it was given."""

    def __init__(self, config):
        super().__init__()
        width = config.hidden_size
        self.norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.value = nn.Linear(width, width, bias=False)
        self.dense = nn.Linear(width, width, bias=False)

    def forward(self, hidden_states, cache=None, at=0, attentions=None):
        """Mix the tokens, then each for itself; what each looks at is added to `attentions`."""
        normed = self.norm(hidden_states)
        key, value = self.key(normed), self.value(normed)
        if cache is not None:
            key, value = cache.update(key, value, at)
        if attentions is None:
            return hidden_states + self.dense(F.scaled_dot_product_attention(self.query(normed), key, value))
        attentions.append(torch.matmul(self.query(normed), key.transpose(-2, -1)).softmax(dim=-1))
        return hidden_states + self.dense(torch.matmul(attentions[-1], value))

    def __getattr__(self, name):
        if name in ("attention", "self", "self_attn", "attn", "mlp", "output", "intermediate"):
            return self
        if name in _PLACES:
            return getattr(self, _PLACES[name])
        raise AttributeError(name)

    def __setattr__(self, name, value):
        super().__setattr__(_PLACES.get(name, name), value)


class Pooler(nn.Module):
    """A layer and a tanh over the first token."""

    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size, bias=False)

    def forward(self, hidden_states):
        """Pool the tokens; tanh keeps its result."""
        return torch.tanh(self.dense(hidden_states[:, 0]))


class Model(PreTrainedModel):
    """Embeddings, layers, a last norm. Two layers stand for all: the first ones and the last ones."""

    family = ""
    pooled = False

    @ignores("kwargs", because="options beside the configuration make no layers")
    def __init__(self, config, add_pooling_layer=True, **kwargs):
        super().__init__(config)
        self.embeddings = Embeddings(config, self.family in _SIGNALS)
        self.layers = nn.ModuleList([Layer(config), Layer(config)])
        self.norm = nn.LayerNorm(config.hidden_size)
        self.pooler = Pooler(config) if self.pooled and add_pooling_layer else None

    def forward(self, *args, **kwargs):
        """Compute the hidden states."""
        named = {name: value for name, value in kwargs.items() if name != "labels"}
        result = self.run(*args, **named)
        return result.to_tuple() if named.get("return_dict") is False else result

    def run(self, *args, **kwargs):
        """Return the fields of the result."""
        inputs = (
            args[0] if args else _first_given(kwargs, ("input_ids", "pixel_values", "input_values", "input_features"))
        )
        hidden = self.embeddings(inputs, kwargs.get("inputs_embeds"))
        cache = kwargs.get("past_key_values")
        if cache is None and kwargs.get("use_cache") is not False and not self.pooled:
            cache = Cache()
        states = [hidden]
        attentions = [] if kwargs.get("output_attentions") else None
        for at, layer in enumerate(self.layers):
            hidden = layer(hidden, cache, at, attentions)
            states.append(hidden)
        hidden = self.norm(hidden)
        states[-1] = hidden
        return ModelOutput(
            last_hidden_state=hidden,
            pooler_output=self.pooler(hidden) if self.pooler is not None else None,
            past_key_values=cache,
            hidden_states=tuple(states) if kwargs.get("output_hidden_states") else None,
            attentions=None if attentions is None else tuple(attentions),
        )

    def get_input_embeddings(self):
        """Return the lookup table of the tokens."""
        return self.embeddings.patch_embeddings if self.embeddings.signals else self.embeddings.word_embeddings

    def __getattr__(self, name):
        if name in _TABLES:
            return self.embeddings.word_embeddings
        if name in _STACKS:
            return self.layers
        if name in ("ln_f", "final_layernorm", "layernorm"):
            return self.norm
        if name in ("encoder", "transformer"):
            return self
        raise AttributeError(name)


class TwoSided(PreTrainedModel):
    """An encoder of the source, and a decoder of the target that reads the encoder's result."""

    family = ""

    @ignores("kwargs", because="options beside the configuration make no layers")
    def __init__(self, config, **kwargs):
        super().__init__(config)
        self.encoder = Model(config)
        self.decoder = Model(config)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size)

    def get_encoder(self):
        """Return the side that reads the source."""
        return self.encoder

    def get_decoder(self):
        """Return the side that writes the target."""
        return self.decoder

    def forward(self, *args, **kwargs):
        """Encode the source, decode the target and score it."""
        labels = kwargs.get("labels")
        kwargs = {name: value for name, value in kwargs.items() if name != "labels"}
        encoded = kwargs.get("encoder_outputs")
        if encoded is None:
            encoded = self.encoder(
                *args, input_ids=_first_given(kwargs, ("input_ids", "input_features", "pixel_values"))
            )
        hidden = encoded[0]
        tokens = labels if labels is not None else kwargs.get("decoder_input_ids")
        decoded = self.decoder(tokens, use_cache=kwargs.get("use_cache")).last_hidden_state
        decoded = decoded + F.scaled_dot_product_attention(decoded, hidden, hidden)
        logits = self.lm_head(decoded)
        result = ModelOutput(
            loss=F.cross_entropy(logits, labels) if labels is not None else None,
            logits=logits,
            decoder_hidden_states=(decoded,),
            encoder_last_hidden_state=hidden,
        )
        return result.to_tuple() if kwargs.get("return_dict") is False else result

    def __getattr__(self, name):
        if name in _TABLES:
            return self.encoder.embeddings.word_embeddings
        if name in ("model", "base_model"):
            return self
        raise AttributeError(name)


class WithHead(PreTrainedModel):
    """A base model, and a layer that makes logits of its last hidden state."""

    family = ""
    shifts = False

    @ignores("kwargs", because="options beside the configuration make no layers")
    def __init__(self, config, **kwargs):
        super().__init__(config)
        self.base = make_base(self.family)(config)
        self.top = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, *args, **kwargs):
        """Compute hidden states and logits, and the loss if labels are given."""
        labels = kwargs.get("labels")
        kwargs = {name: value for name, value in kwargs.items() if name != "labels"}
        result = self.base.run(*args, **kwargs)
        logits = self.top(result.last_hidden_state)
        result = ModelOutput(
            loss=self.score(logits, labels) if labels is not None else None,
            logits=logits,
            past_key_values=result.past_key_values,
            hidden_states=result.hidden_states,
            attentions=result.attentions,
        )
        return result.to_tuple() if kwargs.get("return_dict") is False else result

    def score(self, logits, labels):
        """Compute the cross entropy; a language model shifts a copy of the labels."""
        return F.cross_entropy(logits, labels.clone() if self.shifts else labels)

    def __getattr__(self, name):
        if name in _HEADS:
            return self.top
        if name in _BODIES or self.family.lower().startswith(name) or self.family.lower().endswith(name):
            return self.base
        raise AttributeError(name)

    def __setattr__(self, name, value):
        super().__setattr__("top" if name in _HEADS else name, value)


def _first_given(named, names):
    for name in names:
        if name in named:
            return named[name]
    return None


def make_base(name):
    """Return the class of the base models of a family."""

    class Base(Model):
        family = name
        pooled = name in _POOLED

    return Base


def make_with_head(name, shifted):
    """Return the class of a family's models with a head."""

    class Headed(WithHead):
        family = name
        shifts = shifted

    return Headed


def _find_architecture(name):
    """Return the class of that name, as far as names tell."""
    for ending in _TWO_SIDED:
        if name.endswith(ending):
            return TwoSided
    for ending in ("ForCausalLM", "LMHeadModel", "WithLMHeadModel"):
        if name.endswith(ending):
            return make_with_head(name.removesuffix(ending).removeprefix("TF"), True)
    if name.endswith("Model"):
        return make_base(name.removesuffix("Model"))
    for purpose in ("SequenceClassification", "TokenClassification", "MaskedLM", "ImageClassification", "PreTraining",
                    "QuestionAnswering", "MultipleChoice", "AudioClassification", "CTC", "SemanticSegmentation",
                    "MaskedImageModeling", "NextSentencePrediction"):  # fmt: skip
        if name.endswith("For" + purpose):
            return make_with_head(name.removesuffix("For" + purpose), False)
    raise AttributeError(name)

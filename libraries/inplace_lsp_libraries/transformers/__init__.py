"""transformers: models from the shelf, by the thousand: what their names say of them is what is modelled."""

from transformers._architectures import _find_architecture
from transformers.configuration_utils import PretrainedConfig
from transformers.modeling_outputs import ModelOutput
from transformers.modeling_utils import PreTrainedModel
from transformers.cache_utils import Cache, DynamicCache
from transformers.optimization import (
    get_constant_schedule,
    get_constant_schedule_with_warmup,
    get_cosine_schedule_with_warmup,
    get_cosine_with_hard_restarts_schedule_with_warmup,
    get_inverse_sqrt_schedule,
    get_linear_schedule_with_warmup,
    get_polynomial_decay_schedule_with_warmup,
    get_scheduler,
)
from transformers.tokenization_utils import _Tokenizer
from transformers.trainer import Trainer
from transformers.trainer_callback import TrainerCallback
from transformers._two_towers import FAMILIES, _TwoTowers

DESCRIBES = "transformers 4.40 to 5.23"

PreTrainedConfig = TrainingArguments = Seq2SeqTrainingArguments = PretrainedConfig
Seq2SeqTrainer = Trainer


def __getattr__(name):
    if name.endswith("PreTrainedModel"):
        return PreTrainedModel
    if name.endswith("Config"):
        return PretrainedConfig
    if name.endswith(("Tokenizer", "TokenizerFast", "Processor", "Extractor")):
        return _Tokenizer
    if name.endswith("Callback"):
        return TrainerCallback
    if "Output" in name:
        return ModelOutput
    if name.removesuffix("Model") in FAMILIES:
        return _TwoTowers
    return _find_architecture(name)

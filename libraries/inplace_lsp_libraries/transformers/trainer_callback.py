"""transformers.trainer_callback: what a Trainer calls at each point of its training."""

from inplace_lsp.modelling import ignores

DESCRIBES = "transformers 4.40 to 5.23"
_NOTHING = "a callback does nothing unless a user's class says so"


class TrainerCallback:
    """Does nothing at any point of the training."""

    def __entry__(self):
        """Train a model from the shelf that calls it."""
        from transformers._architectures import WithHead
        from transformers.configuration_utils import PretrainedConfig
        from transformers.trainer import Trainer

        Trainer(WithHead(PretrainedConfig()), callbacks=[self]).train()

    @ignores("args", "state", "control", "kwargs", because=_NOTHING)
    def _do_nothing(self, args, state, control, **kwargs):
        pass

    on_init_end = on_train_begin = on_train_end = on_epoch_begin = on_epoch_end = _do_nothing
    on_step_begin = on_pre_optimizer_step = on_optimizer_step = on_substep_end = on_step_end = _do_nothing
    on_evaluate = on_predict = on_save = on_log = on_prediction_step = _do_nothing

"""lightning.pytorch.callbacks: what is called at the stations of a training."""

from inplace_lsp.modelling import ignores

DESCRIBES = "lightning 2.0 to 2.6"


class Callback:
    """Called at the stations of a training."""


class LambdaCallback(Callback):
    """Calls the functions that it was given."""

    @ignores("on_exception", "on_save_checkpoint", "on_load_checkpoint", because="files and errors are left out")
    def __init__(
        self, setup=None, teardown=None, on_fit_start=None, on_fit_end=None, on_sanity_check_start=None,
        on_sanity_check_end=None, on_train_batch_start=None, on_train_batch_end=None,
        on_train_epoch_start=None, on_train_epoch_end=None, on_validation_epoch_start=None,
        on_validation_epoch_end=None, on_test_epoch_start=None, on_test_epoch_end=None,
        on_validation_batch_start=None, on_validation_batch_end=None, on_test_batch_start=None,
        on_test_batch_end=None, on_train_start=None, on_train_end=None, on_validation_start=None,
        on_validation_end=None, on_test_start=None, on_test_end=None, on_exception=None,
        on_save_checkpoint=None, on_load_checkpoint=None, on_before_backward=None, on_after_backward=None,
        on_before_optimizer_step=None, on_before_zero_grad=None, on_predict_start=None, on_predict_end=None,
        on_predict_batch_start=None, on_predict_batch_end=None, on_predict_epoch_start=None,
        on_predict_epoch_end=None,
    ):  # fmt: skip
        given = {
            "setup": setup, "teardown": teardown, "on_fit_start": on_fit_start, "on_fit_end": on_fit_end,
            "on_sanity_check_start": on_sanity_check_start, "on_sanity_check_end": on_sanity_check_end,
            "on_train_batch_start": on_train_batch_start, "on_train_batch_end": on_train_batch_end,
            "on_train_epoch_start": on_train_epoch_start, "on_train_epoch_end": on_train_epoch_end,
            "on_validation_epoch_start": on_validation_epoch_start,
            "on_validation_epoch_end": on_validation_epoch_end, "on_test_epoch_start": on_test_epoch_start,
            "on_test_epoch_end": on_test_epoch_end, "on_validation_batch_start": on_validation_batch_start,
            "on_validation_batch_end": on_validation_batch_end, "on_test_batch_start": on_test_batch_start,
            "on_test_batch_end": on_test_batch_end, "on_train_start": on_train_start,
            "on_train_end": on_train_end, "on_validation_start": on_validation_start,
            "on_validation_end": on_validation_end, "on_test_start": on_test_start, "on_test_end": on_test_end,
            "on_before_backward": on_before_backward, "on_after_backward": on_after_backward,
            "on_before_optimizer_step": on_before_optimizer_step, "on_before_zero_grad": on_before_zero_grad,
            "on_predict_start": on_predict_start, "on_predict_end": on_predict_end,
            "on_predict_batch_start": on_predict_batch_start, "on_predict_batch_end": on_predict_batch_end,
            "on_predict_epoch_start": on_predict_epoch_start, "on_predict_epoch_end": on_predict_epoch_end,
        }  # fmt: skip
        for name, function in given.items():
            if function is not None:
                setattr(self, name, function)

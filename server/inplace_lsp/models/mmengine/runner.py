"""mmengine.runner: the loop around a model's `train_step`."""

from inplace_lsp.modelling import ignores

DESCRIBES = "mmengine 0.10"


class Runner:
    """Trains a model on the batches of a loader."""

    @ignores(
        "work_dir",
        "val_dataloader",
        "test_dataloader",
        "train_cfg",
        "val_cfg",
        "test_cfg",
        "auto_scale_lr",
        "param_scheduler",
        "val_evaluator",
        "test_evaluator",
        "default_hooks",
        "custom_hooks",
        "data_preprocessor",
        "load_from",
        "resume",
        "launcher",
        "env_cfg",
        "log_processor",
        "log_level",
        "visualizer",
        "default_scope",
        "randomness",
        "experiment_name",
        "cfg",
        because="evaluation and reports are no part of a training step",
    )
    def __init__(
        self,
        model,
        work_dir,
        train_dataloader=None,
        val_dataloader=None,
        test_dataloader=None,
        train_cfg=None,
        val_cfg=None,
        test_cfg=None,
        auto_scale_lr=None,
        optim_wrapper=None,
        param_scheduler=None,
        val_evaluator=None,
        test_evaluator=None,
        default_hooks=None,
        custom_hooks=None,
        data_preprocessor=None,
        load_from=None,
        resume=False,
        launcher="none",
        env_cfg=None,
        log_processor=None,
        log_level="INFO",
        visualizer=None,
        default_scope="mmengine",
        randomness=None,
        experiment_name=None,
        cfg=None,
    ):
        self.model = model
        self.train_dataloader = train_dataloader
        self.optim_wrapper = optim_wrapper

    def train(self):
        """Call the model's `train_step` for each batch."""
        self.model.train()
        for batch in self.train_dataloader:
            self.model.train_step(batch, self.optim_wrapper)
        return self.model

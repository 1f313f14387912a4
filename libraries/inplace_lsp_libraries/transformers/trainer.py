"""transformers.trainer: a training loop; users override parts of it, or have it call their callbacks."""

import torch
from inplace_lsp.modelling import data, drives, ignores, is_known
from torch import nn
from transformers._architectures import WithHead
from transformers.configuration_utils import PretrainedConfig
from transformers.trainer_callback import TrainerCallback

DESCRIBES = "transformers 4.46 to 5.23"
_NO_GRAPH = "it is of evaluation, files or vocabularies, where no graph is"


class _Accelerator:
    """What a Trainer walks its losses with."""

    @ignores("kwargs", because="they are handed on to backward as they are")
    def backward(self, loss, **kwargs):
        """Walk the loss."""
        loss.backward()

    def unwrap_model(self, model):
        """Return the module itself."""
        return model

    def clip_grad_norm_(self, parameters, max_norm):
        """Scale the gradients."""
        return nn.utils.clip_grad_norm_(parameters, max_norm)


class Trainer:
    """Trains a model: for each batch a `training_step`, a step of the optimizer, and callbacks between."""

    model = model_wrapped = args = data_collator = train_dataset = eval_dataset = compute_loss_func = None
    optimizer = lr_scheduler = optimizer_cls_and_kwargs = None
    accelerator = _Accelerator()
    callbacks = ()

    def __entry__(self):
        """Train a model from the shelf with it."""
        if self.model is None or not is_known(self.model):
            self.model = self.model_wrapped = WithHead(PretrainedConfig())
        self.train()

    @ignores("processing_class", "compute_metrics", "preprocess_logits_for_metrics", "kwargs", because=_NO_GRAPH)
    def __init__(
        self,
        model=None,
        args=None,
        data_collator=None,
        train_dataset=None,
        eval_dataset=None,
        processing_class=None,
        model_init=None,
        compute_loss_func=None,
        compute_metrics=None,
        callbacks=None,
        optimizers=(None, None),
        optimizer_cls_and_kwargs=None,
        preprocess_logits_for_metrics=None,
        **kwargs,
    ):
        self.model = model_init() if model is None and model_init is not None else model
        self.model_wrapped = self.model
        self.args = args
        self.data_collator = data_collator
        self.train_dataset, self.eval_dataset = train_dataset, eval_dataset
        self.compute_loss_func = compute_loss_func
        self.optimizer, self.lr_scheduler = optimizers
        self.optimizer_cls_and_kwargs = optimizer_cls_and_kwargs
        self.callbacks = []
        for callback in callbacks or ():
            self.add_callback(callback)

    def add_callback(self, callback):
        """Call this one, too."""
        self.callbacks.append(callback() if isinstance(callback, type) else callback)

    @ignores("num_training_steps", because="how often the rate changes says nothing of graphs")
    def create_optimizer_and_scheduler(self, num_training_steps):
        """Make what steps the weights."""
        self.create_optimizer()

    @ignores("model", because="it is the Trainer's own")
    def create_optimizer(self, model=None):
        """Make an optimizer of all weights, unless one was given."""
        if self.optimizer is None:
            if self.optimizer_cls_and_kwargs is not None:
                kind, options = self.optimizer_cls_and_kwargs
                self.optimizer = kind(self.model.parameters(), **options)
            else:
                self.optimizer = torch.optim.AdamW(self.model.parameters())
        return self.optimizer

    def get_train_dataloader(self):
        """Make batches of the examples."""
        return self._iterate_batches(self.train_dataset)

    def get_eval_dataloader(self, eval_dataset=None):
        """Make batches of the examples."""
        return self._iterate_batches(self.eval_dataset if eval_dataset is None else eval_dataset)

    def _iterate_batches(self, dataset):
        example = dataset[0] if isinstance(dataset, list) else None
        if self.data_collator is not None and example is not None:
            return [self.data_collator([example]), self.data_collator([example])]
        return [_make_batch(example), _make_batch(example)]

    def _prepare_inputs(self, inputs):
        """Move the batch to where the model is."""
        return inputs

    @ignores("resume_from_checkpoint", "trial", "ignore_keys_for_eval", "kwargs", because=_NO_GRAPH)
    @drives
    def train(self, resume_from_checkpoint=None, trial=None, ignore_keys_for_eval=None, **kwargs):
        """Train the model on batch after batch."""
        self.create_optimizer_and_scheduler(2)
        self._tell_callbacks("on_train_begin")
        self._tell_callbacks("on_epoch_begin")
        for inputs in self.get_train_dataloader():
            self._tell_callbacks("on_step_begin")
            self.training_step(self.model, inputs)
            self._tell_callbacks("on_pre_optimizer_step")
            self.optimizer.step()
            self._tell_callbacks("on_optimizer_step")
            self.model.zero_grad()
            self._tell_callbacks("on_step_end")
        self._tell_callbacks("on_epoch_end")
        self._tell_callbacks("on_train_end")
        return data("what was measured")

    def _tell_callbacks(self, event):
        for callback in self.callbacks:
            point = getattr(callback, event)
            point(self.args, self.state, self.control, model=self.model, optimizer=self.optimizer)

    @ignores("num_items_in_batch", because="a number that scales the loss is saved by nobody")
    def training_step(self, model, inputs, num_items_in_batch=None):
        """Compute the loss of a batch and walk it."""
        model.train()
        inputs = self._prepare_inputs(inputs)
        loss = self.compute_loss(model, inputs)
        self.accelerator.backward(loss)
        return loss.detach()

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        """Compute the loss of a batch: the model's own, or that of the function that was given."""
        labels = inputs.pop("labels") if self.compute_loss_func is not None else None
        outputs = model(**inputs)
        if self.compute_loss_func is not None:
            loss = self.compute_loss_func(outputs, labels, num_items_in_batch=num_items_in_batch)
        else:
            loss = outputs["loss"] if isinstance(outputs, dict) else outputs[0]
        return (loss, outputs) if return_outputs else loss

    @ignores("ignore_keys", "metric_key_prefix", because=_NO_GRAPH)
    def evaluate(self, eval_dataset=None, ignore_keys=None, metric_key_prefix="eval"):
        """Compute outputs and losses without gradients."""
        self.model.eval()
        for inputs in self.get_eval_dataloader(eval_dataset):
            self.prediction_step(self.model, inputs, False)
        return data("what was measured")

    @ignores("prediction_loss_only", "ignore_keys", because=_NO_GRAPH)
    def prediction_step(self, model, inputs, prediction_loss_only, ignore_keys=None):
        """Compute the outputs and the loss of a batch without gradients."""
        inputs = self._prepare_inputs(inputs)
        with torch.no_grad():
            loss, outputs = self.compute_loss(model, inputs, return_outputs=True)
        return loss.detach(), outputs[1], inputs.get("labels")


def _make_batch(example):
    """Return a batch of examples: tensors that carry no graph, by the names that the example has."""
    if isinstance(example, dict):
        return {name: data(name) for name in example}
    return {"input_ids": data("input_ids"), "labels": data("labels"), **data("inputs")}

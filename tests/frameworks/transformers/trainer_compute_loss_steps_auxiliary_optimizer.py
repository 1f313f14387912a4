"""A `compute_loss` steps the optimizer of an auxiliary head between the forward and the backward that the Trainer runs on its return, so the head's weights change too early."""

import tempfile

import torch
from torch import nn
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments


class WithProbe(BertForSequenceClassification):
    def __init__(self, config):
        super().__init__(config)
        self.probe = nn.Sequential(nn.Linear(config.hidden_size, 8), nn.Tanh(), nn.Linear(8, 1))


class ProbeTrainer(Trainer):
    probe_optimizer = None

    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        if self.probe_optimizer is None:
            self.probe_optimizer = torch.optim.SGD(model.probe.parameters(), lr=0.1)
        outputs = model(**inputs, output_hidden_states=True)
        cls = outputs.hidden_states[-1][:, 0]

        probe_loss = model.probe(cls.detach()).square().mean()
        adversarial = -model.probe(cls).square().mean()
        self.probe_optimizer.zero_grad()
        probe_loss.backward()
        self.probe_optimizer.step()  # error: IP102

        loss = outputs.loss + 0.1 * adversarial
        return (loss, outputs) if return_outputs else loss


config = BertConfig(
    hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, vocab_size=50, num_labels=2
)
dataset = [{"input_ids": torch.randint(0, 50, (6,)), "labels": i % 2} for i in range(8)]

with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        output_dir=folder,
        max_steps=2,
        per_device_train_batch_size=2,
        report_to=[],
        use_cpu=True,
        save_strategy="no",
        logging_strategy="no",
        disable_tqdm=True,
    )
    trainer = ProbeTrainer(model=WithProbe(config), args=arguments, train_dataset=dataset)
    trainer.train()

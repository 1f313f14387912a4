"""A `training_step` adds an adversarial pass and walks the clean loss a second time, but the first backward has freed its graph."""

import tempfile

import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments


class AdversarialTrainer(Trainer):
    epsilon = 0.1

    def training_step(self, model, inputs, num_items_in_batch=None):
        model.train()
        inputs = self._prepare_inputs(inputs)
        loss = self.compute_loss(model, inputs)
        self.accelerator.backward(loss)

        weight = model.get_input_embeddings().weight
        with torch.no_grad():
            delta = self.epsilon * weight.grad / (weight.grad.norm() + 1e-8)
            weight.add_(delta)
        adversarial = self.compute_loss(model, inputs)
        with torch.no_grad():
            weight.sub_(delta)
        total = loss + adversarial
        self.accelerator.backward(total)  # error: IP103
        return total.detach()


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
    AdversarialTrainer(model=BertForSequenceClassification(config), args=arguments, train_dataset=dataset).train()

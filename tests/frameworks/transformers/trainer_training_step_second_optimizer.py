"""An overridden training_step steps the adversary before the main loss, which runs through it, has gone backward."""

import tempfile

import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel, Trainer, TrainingArguments
from transformers.modeling_outputs import ModelOutput


class FairConfig(PretrainedConfig):
    model_type = "fair"

    def __init__(self, n_features: int = 5, hidden: int = 8, **kwargs) -> None:
        super().__init__(**kwargs)
        self.n_features, self.hidden = n_features, hidden


class FairModel(PreTrainedModel):
    config_class = FairConfig
    main_input_name = "features"

    def __init__(self, config: FairConfig) -> None:
        super().__init__(config)
        self.encoder = nn.Sequential(nn.Linear(config.n_features, config.hidden), nn.Tanh())
        self.head = nn.Linear(config.hidden, 1)
        self.adversary = nn.Sequential(nn.Linear(config.hidden, config.hidden), nn.ReLU(), nn.Linear(config.hidden, 1))
        self.post_init()

    def forward(self, features, labels=None, group=None):
        z = self.encoder(features)
        bce = nn.functional.binary_cross_entropy_with_logits
        task = bce(self.head(z).squeeze(-1), labels)
        adv = bce(self.adversary(z).squeeze(-1), group)
        return ModelOutput(loss=task - 0.1 * adv, adversary_loss=adv)


class AdversarialTrainer(Trainer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.adv_optimizer = torch.optim.Adam(self.model.adversary.parameters(), lr=1e-3)

    def training_step(self, model, inputs, num_items_in_batch=None):
        model.train()
        inputs = self._prepare_inputs(inputs)
        outputs = model(**inputs)
        self.adv_optimizer.zero_grad()
        outputs.adversary_loss.backward(inputs=list(model.adversary.parameters()), retain_graph=True)
        self.adv_optimizer.step()  # error: IP102
        self.accelerator.backward(outputs.loss)
        return outputs.loss.detach()


def rows(n: int) -> list[dict]:
    return [{"features": torch.randn(5), "labels": float(i % 2), "group": float(i % 3 == 0)} for i in range(n)]


if __name__ == "__main__":
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        args = TrainingArguments(
            output_dir=folder,
            max_steps=2,
            per_device_train_batch_size=3,
            use_cpu=True,
            save_strategy="no",
            logging_strategy="no",
            report_to="none",
            disable_tqdm=True,
            remove_unused_columns=False,
        )
        AdversarialTrainer(model=FairModel(FairConfig()), args=args, train_dataset=rows(6)).train()

"""Two targets share one encoder pass, and one backward walks the sum of their losses, so the encoder's graph is walked once."""

import torch
from transformers import T5Config, T5ForConditionalGeneration

config = T5Config(
    d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2, vocab_size=50, decoder_start_token_id=0, pad_token_id=0
)
model = T5ForConditionalGeneration(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

source = torch.randint(1, 50, (2, 6))
targets = [torch.randint(1, 50, (2, 4)) for _ in range(2)]

encoder_outputs = model.get_encoder()(input_ids=source)
optimizer.zero_grad()
losses = [model(encoder_outputs=encoder_outputs, labels=labels).loss for labels in targets]
torch.stack(losses).mean().backward()
optimizer.step()

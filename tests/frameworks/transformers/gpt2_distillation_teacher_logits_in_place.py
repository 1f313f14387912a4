"""The student's log-softmax is written in place after the loss was formed from it, though log-softmax keeps its result for backward."""

import torch
import torch.nn.functional as F
from transformers import GPT2Config, GPT2LMHeadModel


def tiny(n_layer):
    return GPT2LMHeadModel(
        GPT2Config(n_embd=16, n_layer=n_layer, n_head=2, vocab_size=50, n_positions=16, bos_token_id=0, eos_token_id=0)
    )


teacher = tiny(2).eval().requires_grad_(False)
student = tiny(1)
optimizer = torch.optim.AdamW(student.parameters(), lr=1e-4)
temperature = 2.0

for _ in range(2):
    input_ids = torch.randint(0, 50, (2, 6))
    padding = torch.zeros(2, 6, 1, dtype=torch.bool)
    padding[:, -1] = True

    with torch.no_grad():
        teacher_logits = teacher(input_ids).logits
    student_logits = student(input_ids).logits

    targets = F.softmax(teacher_logits / temperature, dim=-1)
    log_probs = F.log_softmax(student_logits / temperature, dim=-1)
    log_probs.masked_fill_(padding, 0.0)  # error: IP101
    loss = F.kl_div(log_probs, targets, reduction="batchmean") * temperature**2

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

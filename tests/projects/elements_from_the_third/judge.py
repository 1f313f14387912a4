import torch
from torch import nn

import results_walked as walked
import results_walked_once as once
import scores_read as read
import scores_written as written

batches = [torch.randn(3) for _ in range(4)]
net = nn.Linear(3, 3)


def raises_for_scores():
    written.write_scores(4, batches)


def raises_for_later_scores():
    written.write_later_scores(4, batches)


def raises_for_two_walks():
    written.walk_twice(4, batches)


def raises_for_notes():
    written.write_notes(4, batches)


def runs_for_each_once():
    read.walk_each_once(4, batches)


def runs_for_old_scores():
    read.write_old_scores(4, batches)


def runs_for_notes():
    read.note_and_walk(4, batches)


def raises_for_one_code():
    walked.walk_through_one_code(net, batches)


def raises_after_a_write():
    walked.walk_after_a_write(net, batches)


def raises_for_what_is_put():
    walked.put_and_write(net, batches)


def raises_after_a_step():
    walked.step_after_each(batches)


def runs_for_codes():
    once.walk_through_codes(net, batches)


def runs_for_the_first_at_the_end():
    once.walk_the_first_at_the_end(net, batches)


def runs_for_a_write_after_the_walk():
    once.write_after_the_walk(net, batches)


def runs_for_what_is_put():
    once.put_and_walk(net, batches)


def runs_for_a_step_at_the_end():
    once.step_at_the_end(batches)


def raises_at_the_last():
    walked.walk_the_last_again(net, batches)


def raises_for_what_is_put_before():
    walked.put_then_write(net, batches)


def runs_for_the_last():
    once.walk_the_last_too(net, batches)


def runs_for_what_is_put_before():
    once.put_then_walk(net, batches)

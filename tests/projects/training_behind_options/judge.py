import early
import late


def raises_early():
    early.train(early.read_options(["--clip", "1"]))


def runs_late():
    late.train(late.read_options(["--clip", "1"]))


def runs_late_without_judge():
    late.train(late.read_options(["--loss", "none", "--schedule", "step"]))

import sys


def raises_given_vectors():
    sys.argv = ["given_vectors"]
    import given_vectors


def raises_pruned_layer():
    sys.argv = ["pruned_layer"]
    import pruned_layer


def raises_started_biases():
    sys.argv = ["started_biases"]
    import started_biases


def runs_fine():
    sys.argv = ["fine"]
    import fine

def raises_accumulated():
    import accumulated


def raises_two_optimizers():
    import two_optimizers


def raises_scaled():
    import scaled


def runs_fine():
    import fine

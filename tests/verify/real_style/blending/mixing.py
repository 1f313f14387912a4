def blend(target, source, share=0.5):
    target.mul_(share)  # confirmed, repaired: target = target * share
    return target + (1 - share) * source

"""Which values are believed to require grad, by what the program calls them."""

import pytest

from inplace_lsp.hazards import evidence

NOT_BELIEVED = [
    "targets", "gtLabels", "self.mask", "edge_index", "batch['x']", "an element of an element of train_loader",
    "batch.lengths", "args.gain", "cfg.train.scale", "targets.to(device)", "labels[mask].float()", "yaml.load(f)",
    "np.sqrt(x)", "memory.sample(n)", "env.step(action)", "next(iter(loader))", "build_targets(p, x)", "anchors",
    "get_mask(x)", "an element of tqdm(loader)",
]  # fmt: skip
BELIEVED = [
    "x", "hidden", "model(x)", "self.mask_head(x)", "self.target_net(x)", "target_logits", "pred_boxes", "memory",
    "model(batch)['loss']", "self.weight", "an element of model(batch)", "nonzero(...)", "an unknown operand",
    "policy.sample(state)", "self.decoder(memory, mask)", "args", "bias", "an element of a list",
]  # fmt: skip


@pytest.mark.parametrize("name", NOT_BELIEVED)
def test_what_carries_no_gradient_as_a_rule(name: str) -> None:
    assert evidence.find_doubt(name, "forward")


@pytest.mark.parametrize("name", BELIEVED)
def test_what_may_carry_one(name: str) -> None:
    assert not evidence.find_doubt(name, "forward")


def test_the_boxes_of_a_loss_are_predicted() -> None:
    assert evidence.find_doubt("boxes", "scale") and not evidence.find_doubt("boxes", "GIoULoss.forward")


@pytest.mark.parametrize("name", ["data", "y_data[0]", "data.cuda()", "an element of data", "batch.x"])
def test_what_a_caller_gives(name: str) -> None:
    assert evidence.is_argument(name, ("model", "data", "y_data", "batch"))


@pytest.mark.parametrize("name", ["model(data)", "hidden", "model.hidden", "other"])
def test_what_a_caller_does_not_give_or_a_network_computes(name: str) -> None:
    assert not evidence.is_argument(name, ("model", "data", "hidden"))


def test_functions_that_use_a_trained_model() -> None:
    assert evidence.find_inference_function("Decoder.forward_test") and evidence.find_inference_function(
        "non_max_suppression"
    )
    assert evidence.find_inference_function("Codec._decompress_ar")
    assert not evidence.find_inference_function("Predictor.forward")


def test_classes_and_called_functions_that_use_a_trained_model() -> None:
    assert evidence.find_inference_function("NMS.forward") == "NMS.forward"
    assert evidence.find_inference_function("Detector.forward", ("pick", "batched_nms")) == "batched_nms"
    assert not evidence.find_inference_function("Detector.forward", ("predict_depth", "draw"))

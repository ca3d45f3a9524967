"""Tests of Random Float Sampling in GPT-NeoX of `transformers`, and of the example that trains it."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

import torch
from transformers import GPTNeoXConfig, GPTNeoXForCausalLM
from transformers.models.gpt_neox.modeling_gpt_neox import apply_rotary_pos_emb

import rfs.hf

EXAMPLE = pathlib.Path(os.environ["RFS_SOURCE"]) / "examples" / "hf_copy.py"


def small_model():
    torch.manual_seed(1)
    return GPTNeoXForCausalLM(GPTNeoXConfig(vocab_size=11, hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
                                            intermediate_size=32, rotary_pct=1.0, use_cache=False))


def seen_positions(model):
    """A list to which each forward pass of the model adds its position ids."""
    seen = []
    model.gpt_neox.rotary_emb.register_forward_pre_hook(
        lambda module, arguments, keywords: seen.append(keywords["position_ids"].clone()), with_kwargs=True)
    return seen


IDS = torch.arange(16).view(2, 8) % 11
MASK = torch.tensor([[1] * 8, [0] * 3 + [1] * 5])


class Hook(unittest.TestCase):
    def test_draws_in_training_and_spreads_evenly_else(self):
        model = small_model()
        rfs.hf.use_random_float(model, range=100.0, trained=10, seed=7)
        seen = seen_positions(model)
        offsets = torch.tensor([0, 8, 13])
        model.train()
        for first in (0, 2):
            model(input_ids=IDS, attention_mask=MASK)
            self.assertTrue(torch.equal(seen.pop()[MASK.bool()], rfs.random_float(offsets, 100.0, 7, first=first)))
        model.eval()
        model(input_ids=IDS, attention_mask=MASK)
        self.assertTrue(torch.equal(seen.pop()[MASK.bool()], rfs.even_float(offsets, 100.0, 10)))

    def test_tokens_see_all_before_and_nothing_after(self):
        model = small_model().eval()
        rfs.hf.use_random_float(model, range=100.0, trained=10)
        first, last = IDS.clone(), IDS.clone()
        first[:, 0] += 1
        last[:, -1] -= 1
        with torch.no_grad():
            plain, other_first, other_last = (model(input_ids=ids).logits for ids in (IDS, first, last))
        self.assertFalse(torch.equal(plain[:, -1], other_first[:, -1]))
        torch.testing.assert_close(plain[:, :-1], other_last[:, :-1])

    def test_generates_without_kept_keys(self):
        model = small_model().eval()
        rfs.hf.use_random_float(model, range=100.0, trained=10)
        answer = model.generate(IDS, attention_mask=torch.ones_like(IDS), max_new_tokens=3, do_sample=False,
                                use_cache=False, pad_token_id=0, eos_token_id=None)
        with torch.no_grad():
            self.assertTrue(torch.equal(answer[:, 9], model(input_ids=answer[:, :9]).logits[:, -1].argmax(1)))
        with self.assertRaisesRegex(ValueError, "use_cache=False"):
            model.generate(IDS, attention_mask=torch.ones_like(IDS), max_new_tokens=3, use_cache=True,
                           pad_token_id=0)

    def test_can_be_taken_away(self):
        model = small_model().eval()
        before = model(input_ids=IDS).logits
        hook = rfs.hf.use_random_float(model, range=100.0, trained=10)
        self.assertFalse(torch.equal(model(input_ids=IDS).logits, before))
        hook.remove()
        self.assertTrue(torch.equal(model(input_ids=IDS).logits, before))


class Rotary(unittest.TestCase):
    def test_turns_halves_as_gpt_neox_does(self):
        model = small_model()
        q, k = torch.randn(2, 2, 8, 16), torch.randn(2, 2, 8, 16)
        positions = rfs.even_float(torch.tensor([0, 16]), 100.0, 16).view(2, 8)
        theirs = apply_rotary_pos_emb(q, k, *model.gpt_neox.rotary_emb(q, positions))
        ours = rfs.rotary(q.transpose(1, 2), k.transpose(1, 2), positions, pairs="halves")
        for x, y in zip(theirs, ours):
            torch.testing.assert_close(x, y.transpose(1, 2), rtol=0, atol=2e-5)


class Example(unittest.TestCase):
    def test_trains_both_and_prints_accuracy_by_length(self):
        text = subprocess.run([sys.executable, EXAMPLE, "--steps", "60"], check=True, capture_output=True, text=True).stdout
        for name in ("integers", "rfs"):
            loss = float(re.search(rf"^{name} +step 60 of 60, loss ([0-9.]+)", text, re.MULTILINE)[1])
            self.assertLess(loss, 2.9, "guessing one of 27 words has a loss of 3.3")
        rows = [line.split() for line in re.split(r"^words +integers +rfs\n", text, flags=re.MULTILINE)[1].splitlines()]
        self.assertEqual([int(row[0]) for row in rows], list(range(2, 21, 2)))
        for row in rows:
            self.assertTrue(all(0 <= float(share) <= 1 for share in row[1:]) and len(row) == 3, row)


if __name__ == "__main__":
    unittest.main()

"""Tests of the operators in torch.ops.rfs: gradients, opcheck, torch.compile, and agreement with the rfs program."""

import os
import subprocess
import sysconfig
import tempfile
import unittest

import torch

import rfs

PROGRAM = os.environ["RFS_PROGRAM"]
OFFSETS = torch.tensor([0, 7, 7, 16])


def sizes(offsets):
    return offsets.diff().tolist()


def program_positions(*settings):
    """The positions of the first training rows, as `rfs data show` prints them: six digits each."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write('[task]\nuse = "copy"\n[tokenizer]\nuse = "words"\n')
        file.flush()
        command = [PROGRAM, "data", "show", file.name, "--samples", "5", "--set", "train.seed=9"]
        for setting in settings:
            command += ["--set", setting]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = []
    for line in text.splitlines():
        if line.startswith("length"):
            rows.append([])
        elif line.startswith("  "):
            words = line.split()
            if all(word.replace(".", "").replace("e-", "").replace("-", "").isdigit() for word in words):
                rows[-1] += [float(word) for word in words]
    return rows


class Positions(unittest.TestCase):
    def assert_program_draws(self, positions_of, *settings):
        theirs = program_positions(*settings)
        self.assertEqual(len(theirs), 5)
        offsets = torch.tensor([0] + [len(row) for row in theirs]).cumsum(0)
        ours = positions_of(offsets)
        self.assertEqual(ours.dtype, torch.float32)
        self.assertEqual([float(f"{p:.6g}") for p in ours.tolist()], [p for row in theirs for p in row])

    def test_are_the_programs(self):
        for distribution in ("uniform", "normal", "beta"):
            self.assert_program_draws(lambda o: rfs.random_float(o, 300.0, 9, distribution=distribution),
                                      "positions.use=random_float", "positions.range=300",
                                      f"positions.distribution={distribution}")
        self.assert_program_draws(lambda o: rfs.random_integer(o, 512, 9), "positions.use=random_integer")
        self.assert_program_draws(lambda o: rfs.sequential(o), "positions.use=sequential")

    def test_formulas(self):
        i = torch.arange(9, dtype=torch.float64)
        row = torch.tensor([0, 9])
        for trained in (4, 30):
            slots = max(trained, 9)
            torch.testing.assert_close(rfs.even_float(row, 1000.0, trained), (1000 * (2 * i + 1) / (2 * slots)).float())
            torch.testing.assert_close(rfs.interpolated(row, trained), (i * trained / slots).float())
            self.assertEqual(rfs.even_integer(row, 50, trained).tolist(),
                             ((50 * (2 * i + 1) / (2 * slots)).floor() + 1).tolist())
        beta = 1000 * torch.sin(torch.pi * (2 * i + 1) / 36) ** 2
        torch.testing.assert_close(rfs.even_float(row, 1000.0, 4, distribution="beta"), beta.float())

    def test_a_rows_draw_depends_on_its_number_alone(self):
        whole = rfs.random_float(OFFSETS, 1000.0, 5, first=40)
        alone = rfs.random_float(torch.tensor([0, 9]), 1000.0, 5, first=42)
        self.assertTrue(torch.equal(whole[7:], alone))
        self.assertFalse(torch.equal(whole[7:], rfs.random_float(torch.tensor([0, 9]), 1000.0, 6, first=42)))

    def test_a_window_gives_its_first_entries(self):
        narrow = rfs.random_float(torch.tensor([0, 5]), 1000.0, 5, window=500)
        wide = rfs.random_float(torch.tensor([0, 500]), 1000.0, 5)
        self.assertTrue(torch.equal(narrow, wide[:5]))


def rotated(x, positions, base, share, pairs):
    """The rotation, computed from the formula one pair at a time."""
    width = x.shape[-1]
    count = int(share * width / 2)
    out = x.clone()
    for k in range(count):
        a, b = (2 * k, 2 * k + 1) if pairs == "neighbours" else (k, k + count)
        angle = positions.double()[..., None] * base ** (-k / count)
        cos, sin = angle.cos(), angle.sin()
        out[..., a] = x[..., a] * cos - x[..., b] * sin
        out[..., b] = x[..., a] * sin + x[..., b] * cos
    return out


def attended(qkv, offsets, positions, heads, share=1.0, alibi=False):
    """Attention by PyTorch, one row at a time."""
    q, k, v = qkv.view(len(qkv), 3, heads, -1).unbind(1)
    q, k = (rotated(x, positions, 10000.0, share, "neighbours") for x in (q, k))
    out = []
    for begin, end in zip(offsets.tolist(), offsets.tolist()[1:]):
        p = positions[begin:end].to(qkv.dtype)
        mask = torch.full((end - begin, end - begin), -torch.inf, dtype=qkv.dtype).triu(1)
        if alibi:
            slopes = torch.tensor([2 ** (-8 * h / heads) for h in range(1, heads + 1)], dtype=qkv.dtype)
            mask = mask - slopes[:, None, None] * (p[:, None] - p[None, :])
        row = torch.nn.functional.scaled_dot_product_attention(
            *(x[begin:end].transpose(0, 1)[None] for x in (q, k, v)), attn_mask=mask.expand(1, heads, -1, -1))
        out.append(row[0].transpose(0, 1).flatten(1))
    return torch.cat(out)


def q_k(dtype, grad=False):
    generator = torch.Generator().manual_seed(3)
    return (torch.randn(16, heads, 8, dtype=torch.float64, generator=generator).to(dtype).requires_grad_(grad)
            for heads in (3, 2))


def packed(dtype, grad=False):
    generator = torch.Generator().manual_seed(4)
    return torch.randn(16, 3 * 2 * 4, dtype=torch.float64, generator=generator).to(dtype).requires_grad_(grad)


POSITIONS = rfs.random_float(OFFSETS, 50.0, 1)


class Rotary(unittest.TestCase):
    def test_is_the_formula(self):
        for dtype in (torch.float64, torch.float32, torch.bfloat16):
            for pairs in ("neighbours", "halves"):
                for share in (1.0, 0.5, 0.0):
                    for x, y in zip(q_k(dtype), rfs.rotary(*q_k(dtype), POSITIONS, share=share, pairs=pairs)):
                        exact = rotated(x.double(), POSITIONS, 10000.0, share, pairs)
                        tolerance = {torch.float64: 1e-12, torch.float32: 1e-6, torch.bfloat16: 0.05}[dtype]
                        self.assertEqual(y.dtype, dtype)
                        self.assertLess((y.double() - exact).abs().max().item(), tolerance)

    def test_takes_padded_rows(self):
        q, k = q_k(torch.float32)
        for whole, parts in zip(rfs.rotary(q, k, POSITIONS),
                                rfs.rotary(q.view(2, 8, 3, 8), k.view(2, 8, 2, 8), POSITIONS.view(2, 8))):
            self.assertTrue(torch.equal(whole, parts.flatten(0, 1)))

    def test_gradients(self):
        for pairs in ("neighbours", "halves"):
            for share in (1.0, 0.5):
                call = lambda q, k: rfs.rotary(q, k, POSITIONS, share=share, pairs=pairs)
                self.assertTrue(torch.autograd.gradcheck(call, tuple(q_k(torch.float64, grad=True))))
                self.assertTrue(torch.autograd.gradgradcheck(call, tuple(q_k(torch.float64, grad=True))))

    def test_gradient_of_one_output_alone(self):
        q, k = q_k(torch.float64, grad=True)
        rfs.rotary(q, k, POSITIONS)[0].sum().backward()
        self.assertGreater(q.grad.abs().sum().item(), 0)
        self.assertEqual(k.grad.abs().sum().item(), 0)


class Attention(unittest.TestCase):
    def test_is_pytorchs(self):
        for dtype, tolerance in ((torch.float64, 1e-12), (torch.float32, 1e-5)):
            for options in ({}, {"share": 0.5}, {"share": 0.0}, {"share": 0.0, "alibi": True}):
                ours = rfs.attention(packed(dtype), OFFSETS, POSITIONS, 2, **options)
                theirs = attended(packed(torch.float64), OFFSETS, POSITIONS, 2, **options)
                self.assertEqual(ours.dtype, dtype)
                self.assertLess((ours.double() - theirs).abs().max().item(), tolerance)

    def test_gradients(self):
        for options in ({}, {"share": 0.0, "alibi": True}, {"scale": 0.7}):
            call = lambda qkv: rfs.attention(qkv, OFFSETS, POSITIONS, 2, **options)
            self.assertTrue(torch.autograd.gradcheck(call, (packed(torch.float64, grad=True),)))


def calls():
    """Arguments to call each operator with."""
    qkv = packed(torch.float32, grad=True)
    plan = (OFFSETS, POSITIONS, 2)
    out, log_sums = torch.ops.rfs.attention_forward(qkv.detach(), *plan)
    return {
        "sequential": [((OFFSETS,), {})],
        "interpolated": [((OFFSETS, 5), {})],
        "random_integer": [((OFFSETS, 512, 1), {}), ((OFFSETS, 512, 1), {"first": 3})],
        "even_integer": [((OFFSETS, 512, 5), {})],
        "random_float": [((OFFSETS, 1000.0, 1), {}),
                         ((OFFSETS, 1000.0, 1), {"distribution": "beta", "window": 30, "first": 3})],
        "even_float": [((OFFSETS, 1000.0, 5), {}), ((OFFSETS, 1000.0, 5), {"distribution": "normal"})],
        "rotary": [((*q_k(torch.float32, grad=True), POSITIONS), {}),
                   ((*q_k(torch.float64, grad=True), POSITIONS), {"share": 0.5, "pairs": "halves"})],
        "attention": [((qkv, *plan), {}), ((qkv, *plan), {"alibi": True, "share": 0.0})],
        "attention_forward": [((qkv, *plan), {})],
        "attention_backward": [((torch.ones_like(out), out, log_sums, qkv.detach(), *plan), {})],
    }


class EveryOperator(unittest.TestCase):
    def test_passes_opcheck(self):
        registered = {name.split("::")[1] for name in torch._C._dispatch_get_all_op_names() if name.startswith("rfs::")}
        self.assertEqual(registered, set(calls()))
        for name, cases in calls().items():
            for arguments, options in cases:
                with self.subTest(op=name, options=options):
                    result = torch.library.opcheck(getattr(torch.ops.rfs, name).default, arguments, options)
                    self.assertEqual(set(result.values()), {"SUCCESS"})

    def test_is_in_the_package(self):
        for name in set(calls()) - {"attention_forward", "attention_backward"}:
            self.assertIs(getattr(rfs, name), getattr(torch.ops.rfs, name))


def layer(qkv, offsets, seed):
    positions = rfs.random_float(offsets, 1000.0, seed)
    q, k, v = qkv.view(len(qkv), 3, 2, 4).unbind(1)
    q, k = rfs.rotary(q, k, positions)
    attention = rfs.attention(torch.stack([q, k, v], 1).flatten(1), offsets, positions, 2, share=0.0)
    return (attention * qkv[:, :8]).sum()


HEADERS = os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))


@unittest.skipUnless(HEADERS, "NOT TESTED: torch.compile needs Python's headers (python3-dev)")
class Compiled(unittest.TestCase):
    def test_gives_the_same_numbers(self):
        compiled = torch.compile(layer, fullgraph=True)
        for seed in (1, 2, 3):
            plain, fused = packed(torch.float64, grad=True), packed(torch.float64, grad=True)
            expected, got = layer(plain, OFFSETS, seed), compiled(fused, OFFSETS, seed)
            expected.backward()
            got.backward()
            torch.testing.assert_close(got, expected, rtol=1e-12, atol=1e-12)
            torch.testing.assert_close(fused.grad, plain.grad, rtol=1e-12, atol=1e-12)


class Mistakes(unittest.TestCase):
    def test_get_one_line(self):
        q, k = q_k(torch.float32)
        learned = POSITIONS.clone().requires_grad_()
        cases = [
            (lambda: rfs.random_float(OFFSETS.int(), 1000.0, 1), "offsets must be int64, got Int"),
            (lambda: rfs.random_float(torch.tensor([0, 3, 2]), 1000.0, 1), "offsets must not decrease, got 3 before 2"),
            (lambda: rfs.random_float(torch.tensor([1, 3]), 1000.0, 1), "offsets must begin with 0, got 1"),
            (lambda: rfs.random_float(OFFSETS, -1.0, 1), "random_float.range must be between 0.001 and 1e+09, got -1"),
            (lambda: rfs.random_float(OFFSETS, 1.0, -1), "seed must be at least 0, got -1"),
            (lambda: rfs.random_float(OFFSETS, 1.0, 1, distribution="gamma"), "must be one of uniform, normal, beta"),
            (lambda: rfs.random_integer(OFFSETS, 3, 1), "must be at least the tokens of a row"),
            (lambda: rfs.even_float(OFFSETS, 1.0, 0), "trained must be at least 1, got 0"),
            (lambda: rfs.rotary(q, k, POSITIONS[1:]), "q, k and positions must have the same size, got 16 and 15"),
            (lambda: rfs.rotary(q, k.double(), POSITIONS), "q and k must be floats of the same type, got Float and Double"),
            (lambda: rfs.rotary(q, k, POSITIONS.long()), "positions must be floats, got Long"),
            (lambda: rfs.rotary(q.to("meta"), k, POSITIONS), "must be on one device, got meta, cpu and cpu"),
            (lambda: rfs.rotary(q, k, learned), "positions must not require a gradient"),
            (lambda: rfs.rotary(q, k, POSITIONS, pairs="thirds"), "pairs must be one of neighbours, halves, got 'thirds'"),
            (lambda: rfs.rotary(q, k, POSITIONS, share=2.0), "rotary.share must be between 0 and 1, got 2"),
            (lambda: rfs.attention(packed(torch.float32), torch.tensor([0, 3]), POSITIONS, 2), "offsets must end at"),
            (lambda: rfs.attention(packed(torch.float32), OFFSETS, POSITIONS, 5), "for 5 heads"),
            (lambda: rfs.attention(packed(torch.bfloat16), OFFSETS, POSITIONS, 2), "must be float32 or float64, got BFloat16"),
            (lambda: torch.ops.rfs.attention_backward(q, q, q, packed(torch.float32), OFFSETS, POSITIONS, 2),
             "must match the results of attention_forward"),
        ]
        for call, words in cases:
            with self.subTest(words=words), self.assertRaises((ValueError, RuntimeError)) as raised:
                call()
            self.assertIn(words, str(raised.exception))
            self.assertNotIn("\n", str(raised.exception).strip())


if __name__ == "__main__":
    unittest.main()

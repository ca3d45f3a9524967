// Low-rank adapters: their gradient, the merged weights, and training with them.

#include "rfs/train/adapters.h"

#include "rfs/core/error.h"
#include "rfs/core/random.h"
#include "small.h"

namespace rfs {
namespace {

using torch::Tensor;

/// A decoder in double precision with a batch of the small task, and adapters whose B is not zero.
struct Adapted {
  Small small;
  Decoder decoder;
  Batch batch = small.trainer->batch(0, 8);
  Tensor base;  // the weights before
  std::unique_ptr<Adapters> adapters;

  explicit Adapted(const std::string& block, const std::string& rule = "softmax", std::vector<std::string> also = {})
      : decoder(spec(block, rule, small.tokenizer->size()), torch::kFloat64) {
    decoder.initialise(3);
    base = decoder.parameters().flat().clone();
    adapters = std::make_unique<Adapters>(decoder, 2, 6.0, 5, also);
  }
  static ModelSpec spec(const std::string& block, const std::string& rule, int64_t vocabulary) {
    const auto text = "[attention]\nuse = '" + rule +
                      "'\n[model]\nlayers = 2\nwidth = 16\nheads = 2\nhead_width = 8\n" +
                      "feed_width = 24\ndropout = 0.0\n" + block;
    return ModelSettings::read(Settings::from_text(text, "test")).spec(vocabulary, 11);
  }
  void randomize() {
    const torch::NoGradGuard no_gradient;
    adapters->parameters().flat().copy_(torch::randn_like(adapters->parameters().flat()) * 0.1);
    adapters->merge();
  }
  double loss() {
    const torch::NoGradGuard no_gradient;
    return decoder.loss(batch).item<double>();
  }
};

const std::vector<std::string> blocks = {"preset = 't5-base'\n", "preset = 'gpt2'\n",
                                         "preset = 'llama'\nkv_heads = 1\n"};

TEST(Adapters, AreOnAllMatricesOfTheBlocksAndStartAsTheModelItself) {
  Adapted adapted("preset = 'llama'\nkv_heads = 1\n");
  std::vector<std::string> names;
  for (const auto& [name, tensor] : adapted.adapters->parameters().items()) names.push_back(name);
  const std::string block = "blocks.0.";
  for (const char* matrix : {"attention.qkv", "attention.out", "feed.in", "feed.out"}) {
    for (const char* part : {".weight.lora_a", ".weight.lora_b"}) {
      EXPECT_EQ(std::count(names.begin(), names.end(), block + matrix + part), 1) << matrix << part;
    }
  }
  EXPECT_EQ(names.size(), 16u);
  EXPECT_EQ(adapted.adapters->parameters()["blocks.1.attention.qkv.weight.lora_a"].sizes(),
            torch::IntArrayRef({3 * 2, 16}))
      << "queries, keys and values have an A each";
  adapted.adapters->merge();
  EXPECT_TRUE(torch::equal(adapted.decoder.parameters().flat(), adapted.base)) << "B is zero";
}

TEST(Adapters, HaveTheGradientOfAutograd) {
  for (const auto& block : blocks) {
    Adapted adapted(block, "ssmax", {"blocks.0.attention_rule.scale"});
    adapted.randomize();
    Parameters& trained = adapted.adapters->parameters();
    adapted.decoder.loss(adapted.batch).backward();
    const Tensor of_weights = adapted.decoder.parameters().gradient().clone();
    adapted.adapters->collect_gradient();
    EXPECT_EQ(adapted.decoder.parameters().gradient().abs().max().item<double>(), 0);
    const Tensor ours = trained.gradient().clone();

    // Autograd through W + 3 B A, written once more, weighted by the gradient of the effective weights.
    int64_t begin = 0;
    Tensor sum = torch::zeros({}, torch::kFloat64);
    const auto& items = adapted.decoder.parameters().items();
    for (size_t number = 0; number < items.size(); ++number) {
      const auto& [name, tensor] = items[number];
      const Tensor gradient = of_weights.narrow(0, begin, tensor.numel()).view(tensor.sizes());
      begin += tensor.numel();
      const auto& stacked = adapted.decoder.parameters().stacked(number);
      if (stacked.empty()) continue;
      const auto a = trained[name + ".lora_a"].chunk(static_cast<int64_t>(stacked.size()));
      const auto b = trained[name + ".lora_b"].split_with_sizes(stacked);
      std::vector<Tensor> parts;
      for (size_t i = 0; i < stacked.size(); ++i) parts.push_back(3.0 * torch::matmul(b[i], a[i]));
      sum = sum + (torch::cat(parts) * gradient).sum();
    }
    trained.gradient().zero_();
    sum.backward();
    const Tensor& scale = trained["blocks.0.attention_rule.scale"];
    EXPECT_GT(scale.numel(), 0);
    for (const auto& [name, tensor] : trained.items()) {
      if (name == "blocks.0.attention_rule.scale") continue;
      EXPECT_GT(tensor.grad().norm().item<double>(), 0) << name;
    }
    int64_t at = 0;
    for (const auto& [name, tensor] : trained.items()) {
      const Tensor mine = ours.narrow(0, at, tensor.numel()).view(tensor.sizes());
      at += tensor.numel();
      if (name == "blocks.0.attention_rule.scale") continue;
      EXPECT_LT((mine - tensor.grad()).norm().item<double>(), 1e-13 * tensor.grad().norm().item<double>()) << name;
    }

    // The whole model, along random directions.
    torch::manual_seed(1);
    for (int i = 0; i < 3; ++i) {
      const torch::NoGradGuard no_gradient;
      const Tensor direction = torch::randn_like(ours), start = trained.flat().clone();
      const auto loss_at = [&](double step) {
        trained.flat().copy_(start + step * direction);
        adapted.adapters->merge();
        return adapted.loss();
      };
      const double step = 1e-5, slope = (loss_at(step) - loss_at(-step)) / (2 * step);
      EXPECT_NEAR(slope, (ours * direction).sum().item<double>(), 1e-6 * std::abs(slope) + 1e-8) << block;
      trained.flat().copy_(start);
    }
  }
}

TEST(Adapters, LeaveTheFrozenWeightsAsTheyWere) {
  for (const auto& block : blocks) {
    Adapted adapted(block);
    adapted.randomize();
    EXPECT_FALSE(torch::equal(adapted.decoder.parameters().flat(), adapted.base));
    const torch::NoGradGuard no_gradient;
    for (const auto& [name, tensor] : adapted.adapters->parameters().items()) {
      if (name.ends_with(".lora_b")) tensor.zero_();
    }
    adapted.adapters->merge();
    EXPECT_TRUE(torch::equal(adapted.decoder.parameters().flat(), adapted.base)) << block;
  }
}

TEST(Adapters, GiveTheLogitsOfTheAdaptedMaps) {
  Adapted adapted("preset = 'gpt2'\n");
  adapted.randomize();
  const torch::NoGradGuard no_gradient;
  const Tensor x = torch::randn({7, 16}, torch::kFloat64);
  const std::string name = "blocks.1.attention.out.weight";
  const Tensor a = adapted.adapters->parameters()[name + ".lora_a"],
               b = adapted.adapters->parameters()[name + ".lora_b"];
  Decoder plain(adapted.decoder.spec(), torch::kFloat64);
  plain.parameters().flat().copy_(adapted.base);
  const Tensor adapted_x = torch::matmul(x, plain.parameters()[name].t()) + 3.0 * torch::linear(torch::linear(x, a), b);
  EXPECT_LT((torch::linear(x, adapted.decoder.parameters()[name]) - adapted_x).abs().max().item<double>(), 1e-14);

  // The same weights, made without the adapters.
  for (const auto& [matrix, tensor] : plain.parameters().items()) {
    const auto& trained = adapted.adapters->parameters().items();
    const auto is_adapted = std::any_of(trained.begin(), trained.end(), [&, &matrix = matrix](const auto& item) {
      return item.name == matrix + ".lora_a";
    });
    if (!is_adapted) continue;
    const Tensor &lora_a = adapted.adapters->parameters()[matrix + ".lora_a"],
                 &lora_b = adapted.adapters->parameters()[matrix + ".lora_b"];
    const auto rows = adapted.decoder.spec().qkv();
    const int64_t parts = lora_a.size(0) / 2;
    EXPECT_EQ(parts, matrix.ends_with("qkv.weight") ? 3 : 1);
    for (int64_t part = 0; part < parts; ++part) {
      const int64_t size = tensor.size(0) / parts;
      EXPECT_EQ(rows.query_width(), rows.kv_width());
      tensor.narrow(0, part * size, size)
          .add_(torch::matmul(lora_b.narrow(0, part * size, size), lora_a.narrow(0, part * 2, 2)) * 3);
    }
  }
  EXPECT_LT(
      (plain.target_logits(adapted.batch) - adapted.decoder.target_logits(adapted.batch)).abs().max().item<double>(),
      1e-12);
}

TEST(Adapters, RefuseARankAboveTheMatrices) {
  const auto spec = Adapted::spec("preset = 'llama'\nkv_heads = 1\n", "softmax", 9);
  EXPECT_NO_THROW(Adapters::require_rank(spec, 8));
  try {
    Adapters::require_rank(spec, 9);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "train.lora: must be at most 8, the smaller side of 'blocks.0.attention.qkv.weight', got 9");
  }
}

/// A small run whose adapters are trained.
struct SmallAdapted {
  Small small;
  std::shared_ptr<Adapters> adapters = std::make_shared<Adapters>(*small.decoder, 4, 16.0, 1);
  TorchTrainer trainer{*small.decoder, *small.indexing, small.examples,         small.examples.longest(),
                       small.options,  Ranks::alone(),  OptimizerRule::adamw(), adapters};
  std::optional<TrainRecord> train(const Run& run, const TrainHooks& hooks = {}) {
    return rfs::train(run, *small.decoder, trainer, small.options, small.examples.longest(), hooks);
  }
};

TEST_F(Training, AdaptersStartWithTheLossOfTheModelAndLowerIt) {
  Small base;
  SmallAdapted adapted;
  const double first = adapted.trainer.advance(1).front().loss;
  EXPECT_EQ(first, base.trainer->advance(1).front().loss);
  EXPECT_LT(adapted.trainer.advance(29).back().loss, first);
  EXPECT_TRUE(torch::equal(adapted.small.decoder->parameters()["embedding.weight"],
                           Small().decoder->parameters()["embedding.weight"]))
      << "only adapters are trained";
  const TensorFile state = adapted.trainer.snapshot()();
  for (const auto& [name, tensor] : state.tensors) {
    EXPECT_TRUE(name.find(".lora_") != std::string::npos || name.starts_with("optimizer.")) << name;
    if (name != "optimizer.first") continue;
    EXPECT_EQ(tensor.numel(), adapted.adapters->parameters().size());
  }
}

TEST_F(Training, AStoppedRunOfAdaptersEndsWithTheSameBits) {
  const rfs::Run run(folder);
  for (const bool best : {false, true}) {
    const auto hooks = [&](SmallAdapted& adapted) {
      adapted.small.options.checkpoint = best ? KeptWeights::best : KeptWeights::last;
      adapted.small.options.validate_every = best ? 6 : 0;
      TrainHooks all;
      if (best) all.validate = [&](const Predictor&) { return adapted.trainer.updates() <= 18 ? 1.0 : 0.5; };
      return all;
    };
    SmallAdapted whole;
    const auto record = whole.train(run, hooks(whole));
    ASSERT_TRUE(record);
    EXPECT_EQ(record->model_step, best ? 18 : 30);
    const std::string bytes = read_file(run.file("model.safetensors"));
    for (const char* file : {"checkpoint.safetensors", "best.safetensors", "metrics.jsonl"}) {
      std::filesystem::remove(run.file(file));
    }
    for (int parts = 0; parts < 3; ++parts) {
      SmallAdapted part;
      auto stopping = hooks(part);
      stopping.stop = [&, left = 8]() mutable { return --left == 0; };
      EXPECT_FALSE(part.train(run, stopping));
    }
    SmallAdapted last;
    ASSERT_TRUE(last.train(run, hooks(last)));
    EXPECT_EQ(read_file(run.file("model.safetensors")), bytes) << best;
    EXPECT_TRUE(torch::equal(last.small.weights(), whole.small.weights()));
    std::filesystem::remove(run.file("checkpoint.safetensors"));
    std::filesystem::remove(run.file("metrics.jsonl"));
  }
}

}  // namespace
}  // namespace rfs

// The contract of every model: the fused path agrees with the reference, including gradients; every parameter gets a
// gradient; rows do not affect each other; the engine accepts exactly the models it supports.

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "every_model.h"
#include "rfs/engine/engine.h"
#include "some_rows.h"

namespace rfs {
namespace {

using torch::Tensor;

class EveryModel : public testing::TestWithParam<AnyModel> {};

TEST_P(EveryModel, FusedIsTheReferenceWithEveryGradient) {
  const Dropout dropout{0.2, 99, {3, 4, 5}};
  for (const auto dtype : {torch::kFloat64, torch::kFloat32}) {
    std::vector<std::unique_ptr<Decoder>> decoders;
    std::vector<Tensor> losses;
    for (const Backend backend : {Backend::reference, Backend::automatic}) {
      auto& decoder = decoders.emplace_back(GetParam().decoder(dtype));
      decoder->backend = backend;
      const Tensor loss = decoder->loss(some_rows(decoder->spec().tracks()), dropout);
      loss.backward();
      losses.push_back(loss.detach());
    }
    const double tolerance = dtype == torch::kFloat64 ? 1e-11 : 2e-4;
    EXPECT_NEAR(losses[0].item<double>(), losses[1].item<double>(), tolerance);
    for (size_t i = 0; i < decoders[0]->parameters().items().size(); ++i) {
      const auto& [name, reference] = decoders[0]->parameters().items()[i];
      const Tensor fused = decoders[1]->parameters().items()[i].tensor.grad();
      EXPECT_LT((reference.grad() - fused).abs().max().item<double>(), 10 * tolerance) << name;
      EXPECT_GT(reference.grad().abs().max().item<double>(), 0) << name << " is not learned";
    }
  }
}

TEST_P(EveryModel, ARowDoesNotSeeItsNeighbours) {
  const torch::NoGradGuard no_gradient;
  const auto decoder = GetParam().decoder(torch::kFloat64);
  const Batch batch = some_rows(decoder->spec().tracks());
  const int64_t begin = batch.offsets[2].item<int64_t>(), count = batch.tokens() - begin;
  Batch last = batch;
  last.offsets = torch::tensor({int64_t{0}, count}, torch::kInt64);
  last.tokens_N = batch.tokens_N.narrow(0, begin, count);
  last.seen_N = batch.seen_N.narrow(0, begin, count);
  last.input_B = batch.input_B.narrow(0, 2, 1);
  for (auto& track : last.positions) track = track.narrow(0, begin, count);
  const Tensor alone = decoder->hidden(last), together = decoder->hidden(batch).narrow(0, begin, count);
  EXPECT_LT((alone - together).abs().max().item<double>(), 1e-12);
}

// The engine must refuse a model that it does not support, instead of computing something else.
TEST_P(EveryModel, TheEngineKnowsWhatItComputes) {
  const auto decoder = GetParam().decoder(torch::kFloat32);
  const auto& name = GetParam().name;
  bool known = false;
  for (const char* block : {"t5_", "gpt2_", "llama_"}) {
    for (const char* rest : {"alibi", "none", "rope", "sinusoidal", "softmax", "ssmax", "clocks", "nope", "nape"})
      known |= name == std::string(block) + rest;
  }
  EXPECT_EQ(model_refusal(decoder->spec()).empty(), known) << model_refusal(decoder->spec());
}

INSTANTIATE_TEST_SUITE_P(All, EveryModel, testing::ValuesIn(every_model()), name_of);

}  // namespace
}  // namespace rfs

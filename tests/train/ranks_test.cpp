// Ranks as threads of this process: data, losses and weights do not depend on their number. tests/cli/ranks_test.cpp
// tests ranks as processes.

#include "rfs/train/ranks.h"

#include <barrier>
#include <set>
#include <thread>

#include "rfs/train/make_trainer.h"
#include "small.h"

namespace rfs {
namespace {

namespace fs = std::filesystem;

/// Shared state of threads that act as ranks.
struct Meeting {
  explicit Meeting(int size) : said(static_cast<size_t>(size)), parts(static_cast<size_t>(size)), barrier(size) {}
  std::vector<std::string> said;
  std::vector<std::vector<double>> parts;
  std::barrier<> barrier;
};

class ThreadRank : public Ranks {
 public:
  ThreadRank(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(meeting_.said.size()); }
  void sum(std::span<float> values) const override { add_up(values); }
  void sum(std::span<double> values) const override { add_up(values); }
  std::vector<std::string> all(const std::string& own) const override {
    meeting_.said[static_cast<size_t>(rank_)] = own;
    meeting_.barrier.arrive_and_wait();
    const auto said = meeting_.said;
    meeting_.barrier.arrive_and_wait();
    return said;
  }
  void end_all(int) const override { ADD_FAILURE(); }

 private:
  template <class T>
  void add_up(std::span<T> values) const {
    meeting_.parts[static_cast<size_t>(rank_)].assign(values.begin(), values.end());
    meeting_.barrier.arrive_and_wait();
    for (size_t i = 0; i < values.size(); ++i) {
      double sum = 0;
      for (const auto& part : meeting_.parts) sum += part[i];
      values[i] = static_cast<T>(sum);
    }
    meeting_.barrier.arrive_and_wait();
  }
  Meeting& meeting_;
  int rank_;
};

/// Calls `body(ranks)` on each of `size` ranks.
void as_ranks(int size, const std::function<void(const Ranks&)>& body) {
  Meeting meeting(size);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&meeting, &body, rank] { body(ThreadRank(meeting, rank)); });
  }
}

std::string failure(const std::function<void()>& body) {
  try {
    body();
  } catch (const AgreedError& error) {
    return error.what();
  }
  return "no error";
}

/// A small run whose trainer is one of several ranks.
struct Share : Small {
  explicit Share(const Ranks& ranks, int64_t micro_batch = 1 << 20) {
    options.micro_batch = micro_batch;
    trainer = std::make_unique<TorchTrainer>(*decoder, *indexing, examples, examples.longest(), options, ranks);
  }
};

TEST_F(Training, RanksMakeTheUpdatesOfOne) {
  Small whole;
  const auto expected = whole.trainer->advance(30);
  for (const int size : {2, 4}) {
    std::vector<torch::Tensor> weights(static_cast<size_t>(size));
    as_ranks(size, [&](const Ranks& ranks) {
      Share share(ranks, 3);
      const auto steps = share.trainer->advance(30);
      weights[static_cast<size_t>(ranks.rank())] = share.weights().clone();
      for (size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].tokens, expected[i].tokens);
        EXPECT_EQ(steps[i].targets, expected[i].targets);
        EXPECT_EQ(steps[i].learning_rate, expected[i].learning_rate);
        EXPECT_NEAR(steps[i].loss, expected[i].loss, (i < 5 ? 1e-6 : 1e-4) * expected[i].loss) << i;
        EXPECT_NEAR(steps[i].gradient_norm, expected[i].gradient_norm, 1e-3 * expected[i].gradient_norm) << i;
      }
    });
    for (const auto& other : weights) EXPECT_TRUE(torch::equal(other, weights[0]));
    EXPECT_TRUE(torch::allclose(weights[0], whole.weights(), 0, 1e-3));
    EXPECT_FALSE(torch::equal(weights[0], whole.weights())) << "the ranks repeated each other's work";
  }
}

TEST_F(Training, RanksTrainAdaptersAsOneDoes) {
  const auto adapt = [](Small& small, const Ranks& ranks) {
    small.trainer = std::make_unique<TorchTrainer>(
        *small.decoder, *small.indexing, small.examples, small.examples.longest(), small.options, ranks,
        OptimizerRule::adamw(), std::make_shared<Adapters>(*small.decoder, 4, 16.0, 1));
  };
  Small whole;
  adapt(whole, Ranks::alone());
  const auto expected = whole.trainer->advance(10);
  std::vector<torch::Tensor> weights(2);
  as_ranks(2, [&](const Ranks& ranks) {
    Small share;
    adapt(share, ranks);
    const auto steps = share.trainer->advance(10);
    weights[static_cast<size_t>(ranks.rank())] = share.weights().clone();
    for (size_t i = 0; i < steps.size(); ++i) {
      EXPECT_NEAR(steps[i].loss, expected[i].loss, 1e-5 * expected[i].loss) << i;
      EXPECT_NEAR(steps[i].gradient_norm, expected[i].gradient_norm, 1e-3 * expected[i].gradient_norm) << i;
    }
  });
  EXPECT_TRUE(torch::equal(weights[1], weights[0]));
  EXPECT_TRUE(torch::allclose(weights[0], whole.weights(), 0, 1e-4));
}

TEST_F(Training, RanksShareABatchInTheOrderOfOne) {
  Small whole;
  const auto all = whole.trainer->batch(16, 8);
  std::vector<torch::Tensor> tokens(4), positions(4);
  as_ranks(4, [&](const Ranks& ranks) {
    Share share(ranks);
    const auto rank = static_cast<size_t>(ranks.rank());
    const auto part = share.trainer->batch(16 + 2 * ranks.rank(), 2);
    tokens[rank] = part.tokens_N;
    positions[rank] = part.positions[0];
  });
  EXPECT_TRUE(torch::equal(torch::cat(tokens), all.tokens_N));
  EXPECT_TRUE(torch::equal(torch::cat(positions), all.positions[0]));
}

TEST_F(Training, OneRankWritesAndAllResume) {
  const rfs::Run run(folder);
  std::optional<TrainRecord> unbroken;
  as_ranks(2, [&](const Ranks& ranks) {
    TrainHooks hooks;
    hooks.ranks = &ranks;
    Share share(ranks);
    if (ranks.first()) {
      unbroken = share.train(run, hooks);
    } else {
      EXPECT_TRUE(follow(run, *share.trainer, share.options, hooks));
    }
  });
  ASSERT_TRUE(unbroken);
  const auto model = read_file(run.file("model.safetensors"));
  for (const char* name : {"checkpoint.safetensors", "model.safetensors"}) fs::remove(run.file(name));

  for (const int64_t until : {9, 30}) {  // the second rank is asked to stop, and both stop
    as_ranks(2, [&](const Ranks& ranks) {
      TrainHooks hooks;
      hooks.ranks = &ranks;
      Share share(ranks);
      hooks.stop = [&] { return !ranks.first() && share.trainer->updates() == until; };
      const bool done =
          ranks.first() ? share.train(run, hooks).has_value() : follow(run, *share.trainer, share.options, hooks);
      EXPECT_EQ(done, until == 30);
      EXPECT_EQ(share.trainer->updates(), until);
    });
  }
  EXPECT_TRUE(read_file(run.file("model.safetensors")) == model);
}

TEST_F(Training, RanksOfDifferentFoldersAreTold) {
  const rfs::Run run(folder), other(folder / "other");
  write_file(other.folder() / "settings.toml", "[train]\n");
  Small begun;
  TrainHooks stops;
  stops.stop = [] { return true; };
  ASSERT_FALSE(begun.train(run, stops));
  as_ranks(2, [&](const Ranks& ranks) {
    TrainHooks hooks;
    hooks.ranks = &ranks;
    Share share(ranks);
    const auto said = failure([&] {
      ranks.first() ? void(share.train(run, hooks)) : void(follow(other, *share.trainer, share.options, hooks));
    });
    EXPECT_NE(said.find("checkpoint.safetensors: must be the same on all ranks, got step 1 on rank 0"),
              std::string::npos)
        << said;
  });
}

TEST_F(Training, RanksLoseTheirLossTogether) {
  as_ranks(2, [&](const Ranks& ranks) {
    Share share(ranks);
    if (!ranks.first()) {
      const torch::NoGradGuard guard;
      share.weights().fill_(std::numeric_limits<float>::quiet_NaN());
    }
    EXPECT_NE(failure([&] { share.trainer->advance(1); }).find("at step 1"), std::string::npos);
  });
}

TEST(Ranks, Agree) {
  as_ranks(3, [&](const Ranks& ranks) {
    EXPECT_TRUE(any(ranks, ranks.rank() == 2));
    EXPECT_FALSE(any(ranks, false));
    EXPECT_EQ(failure([&] { agree(ranks, [] {}); }), "no error");
    EXPECT_EQ(failure([&] { agree(ranks, [] { throw Error("all"); }); }), "all");
    EXPECT_EQ(failure([&] {
                agree(ranks, [&] {
                  if (ranks.rank() == 1) throw Error("one");
                });
              }),
              "rank 1 on " + host_name() + ": one");
    EXPECT_EQ(failure([&] { require_same(ranks, "x", "same"); }), "no error");
    EXPECT_NE(failure([&] { require_same(ranks, "x", ranks.first() ? "a" : "b"); }).find("b on rank 1"),
              std::string::npos);
    const auto here = neighbours(ranks);
    EXPECT_EQ(here.index, ranks.rank());
    EXPECT_EQ(here.count, 3);
    EXPECT_EQ(here.hosts, 1);
  });
}

TEST(Ranks, MustDivideTheBatch) {
  Small setup;
  for (const int ranks : {1, 2, 4, 8}) train_setup(setup.decoder->spec(), setup.options, ranks);
  EXPECT_THROW(train_setup(setup.decoder->spec(), setup.options, 3), Error);
}

}  // namespace
}  // namespace rfs

// Three ways to decide whether an answer is right: one teacher-forced pass, greedy_answers(), and greedy decoding that
// computes the whole row at every step. The models are trained briefly, so that some answers are right and some wrong.

#include <gtest/gtest.h>

#include <algorithm>

#include "rfs/eval/answers.h"
#include "rfs/eval/exact_match.h"
#include "rfs/run/data.h"
#include "rfs/train/optimizer.h"

namespace rfs {
namespace {

constexpr int32_t end = 0, separator = 1, first_word = 2, words = 4;
constexpr int64_t vocabulary = first_word + words;
constexpr int64_t trained_length = 4;  // less than the real one, so that positions of short rows depend on n_in, too

/// Examples of the copy task with 1 to `longest` words.
Examples copies(const std::string& purpose, uint64_t count, uint64_t longest) {
  Examples examples;
  for (uint64_t i = 0; i < count; ++i) {
    Stream stream(1, purpose, i);
    std::vector<int32_t> word(1 + i % longest);
    for (auto& id : word) id = first_word + static_cast<int32_t>(stream.below(words));
    std::vector<int32_t> row = word;
    row.push_back(separator);
    row.insert(row.end(), word.begin(), word.end());
    row.push_back(end);
    examples.add(row, static_cast<int64_t>(word.size()) + 1, static_cast<int64_t>(word.size()));
  }
  return examples;
}

/// In double precision, so that no verdict depends on rounding.
std::unique_ptr<Decoder> trained(const PositionTracks& tracks, const std::string& encoding, const Examples& examples,
                                 int64_t ids, int64_t longest) {
  const auto settings = Settings::from_text(
      "[model]\npreset = 'tiny'\nlayers = 2\nwidth = 32\nheads = 4\nhead_width = 8\nfeed_width = 64\n", "test");
  auto decoder = std::make_unique<Decoder>(DecoderOptions::read(settings.find("model")), ids,
                                           Choice<PositionEncoding>::read(nullptr, encoding).make(), torch::kFloat64);
  decoder->initialise(5);
  Optimizer optimizer(decoder->parameters(), TrainOptions());
  for (int64_t begin = 0; begin + 24 <= examples.size(); begin += 24) {
    std::vector<Row> rows;
    std::vector<float> positions;
    for (int64_t i = begin; i < begin + 24; ++i) {
      rows.push_back(sequence_row(examples.row(i), examples.answer(i)));
      const auto tokens = rows.back().tokens;
      const auto of_row =
          tracks.train(1, static_cast<uint64_t>(i), longest, static_cast<int64_t>(tokens.size()), tokens).front();
      positions.insert(positions.end(), of_row.begin(), of_row.end());
    }
    decoder->loss(pack(rows, positions)).backward();
    optimizer.update(5e-3);
  }
  return decoder;
}

/// Greedy decoding in the simplest way: one sample at a time, with the whole row at every step.
std::vector<std::vector<int32_t>> recomputed(const EvalContext& model, std::span<const Prompt> prompts) {
  std::vector<std::vector<int32_t>> texts;
  for (const Prompt& prompt : prompts) {
    std::vector<int32_t> row(prompt.tokens.begin(), prompt.tokens.end());
    const size_t planned = row.size() + static_cast<size_t>(prompt.budget);
    while (row.size() < planned && (row.size() == prompt.tokens.size() || row.back() != end)) {
      const size_t input = *model.options.n_in == InputLength::planned ? planned : row.size();
      const std::vector<InferenceRow> rows = {{{row, {}}, static_cast<int64_t>(input), prompt.sample}};
      Batch batch = inference_batch(model, rows);
      batch.predict_M = torch::tensor({batch.tokens() - 1}, torch::kInt64);
      row.push_back(static_cast<int32_t>(model.predictor.best(batch).item<int64_t>()));
    }
    texts.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(prompt.tokens.size()), row.end());
  }
  return texts;
}

/// Compares the three ways for both input lengths.
void expect_agreement(const Decoder& decoder, const PositionTracks& tracks, int64_t longest, const Examples& examples,
                      const std::string& what) {
  std::vector<Prompt> prompts;
  for (int64_t i = 0; i < examples.size(); ++i) {
    const auto row = examples.row(i);
    const auto answer = static_cast<size_t>(examples.answer(i));
    prompts.push_back({row.first(answer), static_cast<int64_t>(row.size() - answer), static_cast<uint64_t>(i)});
  }
  for (const auto n_in : {InputLength::planned, InputLength::current}) {
    EvalOptions options;
    options.n_in = n_in;
    options.batch_tokens = 100;
    const EvalContext model{decoder, tracks, longest, options};
    const auto name = what + " " + enum_name(n_in);
    const auto given = greedy_answers(decoder, model, prompts, {end});
    EXPECT_EQ(given, recomputed(model, prompts)) << name;
    std::vector<bool> decoded;
    for (size_t i = 0; i < given.size(); ++i) {
      const auto answer = examples.row(static_cast<int64_t>(i)).subspan(prompts[i].tokens.size());
      decoded.push_back(std::equal(given[i].begin(), given[i].end(), answer.begin(), answer.end()));
    }
    EXPECT_EQ(exact_match(model, examples), decoded) << name;
    const auto here = std::count(decoded.begin(), decoded.end(), true);
    EXPECT_TRUE(here > 0 && here < examples.size()) << name << ": " << here << " right would check little";
  }
}

TEST(Verdicts, AreTheSameThreeWays) {
  const Examples examples = copies("test", 40, 5), training = copies("train", 1200, 3);
  for (const auto& indexing_name : Registry<PositionIndexing>::names()) {
    const auto indexing = Choice<PositionIndexing>::read(nullptr, indexing_name).make();
    for (const auto& encoding : Registry<PositionEncoding>::names()) {
      const auto decoder = trained(*indexing, encoding, training, vocabulary, trained_length);
      expect_agreement(*decoder, *indexing, trained_length, examples, indexing_name + " " + encoding);
    }
  }
}

// Position coupling with the groups of a task. While an answer is generated, its digits are still to come, but their
// groups must already be those of the whole row.
TEST(Verdicts, AreTheSameForDigitsThatShareAPosition) {
  const std::string reversed = "use = 'long_addition'\ntrain_lengths = [1, 1]\ntest_lengths = [2, 2]\n",
                    numbers = "train_samples = 4800\nvalidation_samples = 10\ntest_samples = 10\n";
  for (const std::string& task : {reversed, reversed + "reversed = false\n",
                                  std::string("use = 'addition'\ntrain_digits = 1\ntest_digits = 2\n")}) {
    for (const std::string draw : {"integers", "floats"}) {
      const auto settings =
          RunSettings::read(Settings::from_text("[positions]\nuse = 'coupled'\nrange = 16.0\ndraw = '" + draw +
                                                    "'\n[task]\n" + task + numbers + "[tokenizer]\nuse = 'words'\n",
                                                "test"));
      const auto data = std::make_shared<const RunData>(settings);
      const PositionTracks tracks = run_tracks(settings, data);
      const Examples training = data->examples(Split::train);
      const auto decoder = trained(tracks, "rope", training, data->tokenizer->size(), training.trained_length());
      Examples examples;  // mostly right, and mostly wrong
      for (const auto split : {Split::validation, Split::test}) {
        const Examples part = data->examples(split);
        for (int64_t i = 0; i < part.size(); ++i) examples.add(part.row(i), part.answer(i), part.length(i));
      }
      expect_agreement(*decoder, tracks, training.trained_length(), examples, task + draw);
    }
  }
}

}  // namespace
}  // namespace rfs

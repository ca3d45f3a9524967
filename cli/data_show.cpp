// rfs data show | stats

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "data.h"
#include "print.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/report/figure.h"
#include "rfs/run/data_folder.h"
#include "rfs/run/folders.h"
#include "rfs/tasks/samples_file.h"

namespace rfs {
namespace fs = std::filesystem;

/// Prints samples as text and as tokens, with tokens that carry loss highlighted and each token's position below it.
void show_data(const DataArguments& arguments, const RunContext&) {
  const auto settings = data_settings(arguments);
  const RunData data(settings);
  require_samples(data);
  const std::vector<std::string> names = {"train", "validation", "test"};
  const auto split = std::find(names.begin(), names.end(), arguments.split);
  if (split == names.end()) throw Error("--split: " + unknown("split", arguments.split, names));
  const bool test = *split == "test", colour = isatty(STDOUT_FILENO) == 1;
  const auto samples = data.samples(all_splits[split - names.begin()]);
  const auto indexing = settings.positions.make();
  const int64_t trained = data.examples(Split::train).trained_length();
  for (size_t i = 0; i < std::min(samples.size(), static_cast<size_t>(arguments.samples)); ++i) {
    const auto examples = tokenize(std::span(samples).subspan(i, 1), *data.tokenizer);
    const auto row = examples.row(0);
    std::vector<float> positions(row.size());
    Stream stream(static_cast<uint64_t>(*settings.train.seed), "positions", i);
    if (test) {
      indexing->infer(stream, trained, static_cast<int64_t>(row.size()), positions);
    } else {
      indexing->train(stream, trained, positions);
    }
    print("{}length {}: {}{}\n", i == 0 ? "" : "\n", samples[i].length, samples[i].prompt, samples[i].answer);
    for (size_t begin = 0; begin < row.size(); begin += 10) {
      std::string tokens, numbers;
      for (size_t t = begin; t < std::min(row.size(), begin + 10); ++t) {
        const bool loss = static_cast<int64_t>(t) >= examples.answer(0);
        std::string word = t + 1 == row.size() ? "</s>" : data.tokenizer->decode(row.subspan(t, 1));
        if (loss && !colour) word = "*" + word;
        word = rfs::format("{:<10.9}", word);
        tokens += loss && colour ? "\033[1;32m" + word + "\033[0m" : word;
        numbers += rfs::format("{:<10.6g}", positions[t]);
      }
      print("  {}\n  {}{}{}\n", tokens, colour ? "\033[2m" : "", numbers, colour ? "\033[0m" : "");
    }
  }
  print("\nTokens {} carry loss; the number below each is its position ({}, {}).\n", colour ? "in green" : "with *",
        settings.positions.use, test ? "at inference" : "in training");
}

void count_data(const DataArguments& arguments, const RunContext&) {
  if (!arguments.out.empty()) require_report_folder(arguments.out);
  const RunData data(data_settings(arguments));
  std::vector<Histogram> histograms;
  for (const Split split : all_splits) {
    struct Bin {
      int64_t samples = 0, least = INT64_MAX, most = 0, sum = 0;
    };
    const auto examples = data.examples(split);
    std::map<int64_t, Bin> bins;
    Histogram histogram{split_name(split), {}};
    for (int64_t i = 0; i < examples.size(); ++i) {
      const auto tokens = static_cast<int64_t>(examples.row(i).size());
      Bin& bin = bins[examples.length(i)];
      ++bin.samples;
      bin.sum += tokens;
      bin.least = std::min(bin.least, tokens);
      bin.most = std::max(bin.most, tokens);
      ++histogram.counts[tokens];
    }
    histograms.push_back(std::move(histogram));
    print("{}: {} samples, {} tokens, longest {}{}, mean {:.4f}\n\n  length   samples   tokens:   min  mean   max\n",
          split_name(split), examples.size(), examples.tokens().size(), examples.longest(),
          split == Split::train ? " = n_tr" : "",
          static_cast<double>(examples.tokens().size()) / static_cast<double>(std::max<int64_t>(1, examples.size())));
    for (const auto& [length, bin] : bins) {
      print("  {:>6} {:>9} {:>15} {:>5.1f} {:>5}\n", length, bin.samples, bin.least,
            static_cast<double>(bin.sum) / static_cast<double>(bin.samples), bin.most);
    }
    print("\n");
  }
  if (arguments.out.empty()) return;
  require_writable(arguments.out);
  draw_histograms(histograms, "tokens per sample", arguments.out);
  print("Figure  {}\n", (fs::path(arguments.out) / "histogram.png").string());
}

}  // namespace rfs

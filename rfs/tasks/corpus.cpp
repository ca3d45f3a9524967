#include "rfs/corpus/corpus.h"

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/limits.h"
#include "rfs/core/memory.h"
#include "rfs/tasks/examples.h"

namespace rfs {
namespace {

/// Data for language models: consecutive windows of a corpus, across document borders. Test rows are the beginnings of
/// long documents of the validation split.
class CorpusTask : public Task {
 public:
  struct Options : rfs::Options {
    Field<std::string> folder{this, "folder", "", "a folder written by `rfs corpus make`"};
    Field<int64_t> window{this, "window", 1024, "length of a training row in tokens", between<int64_t>(1, longest_row)};
    Field<int64_t> validation_tokens{this, "validation_tokens", 1 << 20,
                                     "tokens of the validation split to evaluate during training",
                                     at_least<int64_t>(1)};
    Field<int64_t> test_window{this, "test_window", 0,
                               "length of a window in the test, for models trained on windows of other lengths; 0 for "
                               "task.window",
                               between<int64_t>(0, longest_row)};
    Field<int64_t> test_windows{this, "test_windows", 8, "minimum length of a test document, in windows",
                                between<int64_t>(1, longest_row)};
    Field<int64_t> test_documents{this, "test_documents", 200,
                                  "number of test documents, the first ones that are long enough; 0: no test",
                                  at_least<int64_t>(0)};
  };

  explicit CorpusTask(const Options& options) : options_(options) {
    if (options.folder->empty()) throw Error("task.folder: not set; set it to a folder written by `rfs corpus make`");
  }

  Vocabulary vocabulary() const override { return {}; }
  bool language() const override { return true; }
  int64_t test_window() const override { return options_.test_window > 0 ? options_.test_window : options_.window; }
  std::vector<Sample> samples(Split, const Tokenizer&) const override { return {}; }

  std::string data_hash() const override {
    std::error_code ignored;
    const bool there = std::filesystem::exists(std::filesystem::path(*options_.folder) / Manifest::file_name, ignored);
    return there ? Manifest::read(*options_.folder).hash : "";
  }

  std::shared_ptr<const Examples> examples(Split split, const Tokenizer& tokenizer) const override {
    const Corpus corpus(*options_.folder);
    corpus.require(tokenizer);
    if (split == Split::test) return beginnings(corpus.validation());
    const bool train = split == Split::train;
    const Corpus::Part& part = train ? corpus.train() : corpus.validation();
    const int64_t count = train ? part.tokens() : std::min(part.tokens(), options_.validation_tokens + 1);
    if (train && count <= options_.window) {
      throw Error(rfs::format("task.window: must be below the {} tokens of {}, got {}", count, *options_.folder,
                              *options_.window));
    }
    const bool large = static_cast<double>(count) * sizeof(int32_t) > machine_memory() / 4;
    return windows_of(count, *options_.window, large ? *options_.folder : "",
                      [&](std::span<int32_t> tokens) { part.read(0, tokens); });
  }

 private:
  std::shared_ptr<const Examples> beginnings(const Corpus::Part& part) const {
    const auto made = std::make_shared<Examples>();
    if (options_.test_documents == 0) return made;
    const int64_t size = test_window() * options_.test_windows + 1;
    const auto [longest_begin, longest_end] = part.longest();
    if (longest_end - longest_begin < size) {
      throw Error(
          rfs::format("{}: the test needs a validation document of {} tokens (task.test_windows={} of task.{}={}), "
                      "but the longest has {}; lower task.test_windows or task.window, or set task.test_documents=0 to "
                      "train without a test",
                      *options_.folder, size, *options_.test_windows,
                      options_.test_window > 0 ? "test_window" : "window", test_window(), longest_end - longest_begin));
    }
    std::vector<int32_t> row(static_cast<size_t>(size));
    for (int64_t i = 0; i < part.documents() && made->size() < options_.test_documents; ++i) {
      const auto [begin, end] = part.document(i);
      if (end - begin < size) continue;
      part.read(begin, row);
      made->add(row, 1, size - 1);
    }
    return made;
  }

  Options options_;
};

const bool registered = Registry<Task>::add<CorpusTask>("windows of a corpus, for language models");

}  // namespace
}  // namespace rfs

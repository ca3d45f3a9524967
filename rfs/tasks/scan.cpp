#include <algorithm>
#include <map>

#include "rfs/core/data_files.h"
#include "rfs/core/error.h"
#include "rfs/core/files.h"
#include "rfs/core/format.h"
#include "rfs/core/random.h"
#include "rfs/core/split.h"
#include "rfs/tasks/task.h"

namespace rfs {
namespace {

const std::map<std::string, std::string> actions = {{"I_WALK", "Walk"},      {"I_RUN", "Run"},
                                                    {"I_JUMP", "Jump"},      {"I_LOOK", "Look"},
                                                    {"I_TURN_LEFT", "Left"}, {"I_TURN_RIGHT", "Right"}};
const std::vector<std::string> command_words = {"after", "and", "around", "jump", "left",  "look", "opposite",
                                                "right", "run", "thrice", "turn", "twice", "walk"};

/// SCAN (Lake and Baroni 2018), `jump twice after run right[SEP] Right Run Jump Jump`: all 20,910 commands. The length
/// is the number of actions. Short commands are for training, with a tenth of them held out for validation; longer
/// commands are the test (split len_tr25_ts48).
class Scan : public Task {
 public:
  struct Options : rfs::Options {
    Field<std::string> file{this, "file", "", "SCAN's tasks.txt; empty: scan/tasks.txt in the data folder"};
    Field<int64_t> train_actions{this, "train_actions", 25, "maximum number of actions in training",
                                 at_least<int64_t>(1)};
    Field<int64_t> validation_samples{this, "validation_samples", 1'777,
                                      "number of short commands held out of training", at_least<int64_t>(1)};
    Field<int64_t> seed{this, "seed", 1, "seed that selects the validation commands", at_least<int64_t>(0)};
  };
  explicit Scan(const Options& options) : options_(options) {}

  Vocabulary vocabulary() const override {
    std::vector<std::string> words = command_words;
    for (const auto& word : command_words) words.push_back(word + "[SEP]");
    for (const auto& [name, word] : actions) words.push_back(word);
    return {words, 0};
  }

  std::vector<Sample> samples(Split split, const Tokenizer&) const override {
    std::vector<Sample> chosen, small;
    for (auto& sample : read()) (sample.length > options_.train_actions ? chosen : small).push_back(std::move(sample));
    if (split == Split::test) return chosen;
    if (options_.validation_samples >= static_cast<int64_t>(small.size())) {
      throw Error(rfs::format("task.validation_samples: must be below the number of short commands, {}, got {}",
                              small.size(), *options_.validation_samples));
    }
    Stream stream(static_cast<uint64_t>(*options_.seed), "scan validation");
    for (size_t i = small.size() - 1; i > 0; --i) std::swap(small[i], small[stream.below(i + 1)]);
    const auto border = small.begin() + static_cast<std::ptrdiff_t>(*options_.validation_samples);
    return split == Split::validation ? std::vector<Sample>(small.begin(), border)
                                      : std::vector<Sample>(border, small.end());
  }

 private:
  std::vector<Sample> read() const {
    const auto path = find_data_file({"scan/tasks.txt", "github.com/brendenlake/SCAN", "task.file"}, options_.file);
    const std::string text = read_file(path);
    std::vector<Sample> samples;
    int64_t number = 0;
    for (const std::string_view line : split_lines(text)) {
      ++number;
      const auto fail = [&](const std::string& got) {
        return Error(
            rfs::format("{}:{}: must be 'IN: command OUT: actions' as in SCAN, got {}", path.string(), number, got));
      };
      const auto out = line.find(" OUT: ");
      if (!line.starts_with("IN: ") || out == std::string::npos) throw fail("'" + shortened(line) + "'");
      Sample sample{std::string(line.substr(4, out - 4)) + "[SEP]", "", 0};
      for (const std::string_view name : split_words(line.substr(out + 6))) {
        const auto action = actions.find(std::string(name));
        if (action == actions.end()) throw fail("action '" + shortened(name) + "'");
        sample.answer += " " + action->second;
        ++sample.length;
      }
      if (sample.length == 0) throw fail("no action");
      samples.push_back(std::move(sample));
    }
    if (samples.empty())
      throw Error(rfs::format("{}: this file is empty; it must contain SCAN's commands", path.string()));
    return samples;
  }

  Options options_;
};

const bool registered = Registry<Task>::add<Scan>("turn a command into a sequence of actions (needs SCAN's file)");

}  // namespace
}  // namespace rfs

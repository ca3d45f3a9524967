#include <algorithm>
#include <cmath>

#include "rfs/core/format.h"
#include "rfs/tasks/generated.h"

namespace rfs {
namespace {

/// `Sort the following list [ 9 8 3 0, 5 1 5 ]. The sorted list is [ 5 1 5, 9 8 3 0 ].` n integers, uniform in 10 ..
/// 9999, with separated digits, in ascending order (split len_mltd_tr8_ts16).
class Sort : public Task {
 public:
  struct Options : LengthOptions {
    Options() : LengthOptions(500, 1'250, {2, 8}, {9, 16}, "items") {}
    Field<std::vector<int64_t>> values{
        this, "values", {10, 9'999}, "range of the integers to sort, [smallest, largest]", interval(0, 1'000'000'000)};
  };
  explicit Sort(const Options& options) : options_(options) { options.require_longer_tests(); }

  Vocabulary vocabulary() const override {
    std::vector<std::string> words = {"Sort", "the", "following", "list", "[", "].", "The", "sorted", "is"};
    for (int digit = 0; digit < 10; ++digit) words.push_back(rfs::format("{}", digit));
    for (int digit = 0; digit < 10; ++digit) words.push_back(rfs::format("{},", digit));
    return {words, 0};
  }

  std::vector<Sample> samples(Split split, const Tokenizer&) const override {
    const int64_t low = (*options_.values)[0], count = (*options_.values)[1] - low + 1;
    const auto sample = [&](Stream& stream, int64_t length) {
      std::vector<int64_t> items(static_cast<size_t>(length));
      for (auto& item : items) item = low + static_cast<int64_t>(stream.below(static_cast<uint64_t>(count)));
      const std::string given = listed(items);
      std::sort(items.begin(), items.end());
      return Sample{"Sort the following list [ " + given + " ].", " The sorted list is [ " + listed(items) + " ].",
                    length};
    };
    return spread_lengths(options_, split, sample, [&](int64_t length) {
      return std::pow(static_cast<double>(count), static_cast<double>(length));
    });
  }

  /// Compares the lists inside the brackets.
  bool right(const std::string& given, const std::string& expected) const override {
    const auto list = [](const std::string& text) {
      const auto begin = text.find('['), end = text.find(']');
      std::string inside = begin < end && end != std::string::npos ? text.substr(begin, end - begin) : "";
      std::erase(inside, ' ');
      return inside;
    };
    return !list(given).empty() && list(given) == list(expected);
  }

 private:
  static std::string listed(const std::vector<int64_t>& items) {
    std::string text;
    for (const int64_t item : items) {
      if (!text.empty()) text += ',';
      for (const char digit : rfs::format("{}", item)) text += (text.empty() ? "" : " ") + std::string(1, digit);
    }
    return text;
  }

  Options options_;
};

const bool registered = Registry<Task>::add<Sort>("sort n integers");

}  // namespace
}  // namespace rfs

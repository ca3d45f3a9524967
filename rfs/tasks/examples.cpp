#include "rfs/tasks/examples.h"

#include <algorithm>
#include <cassert>
#include <future>
#include <thread>

#include "rfs/core/error.h"
#include "rfs/core/file_memory.h"
#include "rfs/core/format.h"

namespace rfs {

Examples::Examples() : arrays_(std::make_shared<Arrays>()), offsets_(arrays_->offsets) {}

Examples::Examples(std::shared_ptr<const void> owner, std::span<const int32_t> tokens, std::span<const int64_t> offsets,
                   std::span<const int64_t> answers, std::span<const int64_t> lengths)
    : owner_(std::move(owner)), tokens_(tokens), offsets_(offsets), answers_(answers), lengths_(lengths) {}

Examples::Examples(std::shared_ptr<const void> owner, std::span<const int32_t> tokens, int64_t window)
    : owner_(std::move(owner)), tokens_(tokens), window_(window) {
  assert(window > 0);
}

std::span<const int32_t> Examples::row(int64_t i) const {
  if (window_) return tokens_.subspan(static_cast<size_t>(i * window_), static_cast<size_t>(window_) + 1);
  const auto begin = static_cast<size_t>(offsets_[static_cast<size_t>(i)]);
  return tokens_.subspan(begin, static_cast<size_t>(offsets_[static_cast<size_t>(i) + 1]) - begin);
}

int64_t Examples::longest() const {
  if (window_) return size() > 0 ? window_ + 1 : 0;
  int64_t longest = 0;
  for (size_t i = 0; i + 1 < offsets_.size(); ++i) longest = std::max(longest, offsets_[i + 1] - offsets_[i]);
  return longest;
}

void Examples::add(std::span<const int32_t> row, int64_t answer, int64_t length) {
  assert(arrays_);
  arrays_->tokens.insert(arrays_->tokens.end(), row.begin(), row.end());
  arrays_->offsets.push_back(static_cast<int64_t>(arrays_->tokens.size()));
  arrays_->answers.push_back(answer);
  arrays_->lengths.push_back(length);
  tokens_ = arrays_->tokens;
  offsets_ = arrays_->offsets;
  answers_ = arrays_->answers;
  lengths_ = arrays_->lengths;
}

std::shared_ptr<const Examples> windows_of(int64_t count, int64_t window, const std::filesystem::path& folder,
                                           const std::function<void(std::span<int32_t>)>& read) {
  const auto size = static_cast<size_t>(count);
  if (folder.empty()) {
    const auto tokens = std::make_shared<std::vector<int32_t>>(size);
    read(*tokens);
    return std::make_shared<Examples>(tokens, *tokens, window);
  }
  const FileMemory memory(size * sizeof(int32_t), folder);
  const std::span tokens(reinterpret_cast<int32_t*>(memory.bytes().data()), size);
  read(tokens);
  return std::make_shared<Examples>(memory.owner(), tokens, window);
}

Examples tokenize(std::span<const Sample> samples, const Tokenizer& tokenizer) {
  struct Row {
    std::vector<int32_t> ids;
    int64_t answer = 0;
  };
  const auto encode = [&tokenizer](std::span<const Sample> part) {
    std::vector<Row> rows;
    rows.reserve(part.size());
    for (const auto& sample : part) {
      auto ids = tokenizer.encode(sample.prompt + sample.answer);
      const auto prompt = tokenizer.encode(sample.prompt);
      const auto shared = std::mismatch(ids.begin(), ids.end(), prompt.begin(), prompt.end()).first - ids.begin();
      if (shared == 0) {
        throw Error(
            rfs::format("tokenizer: no token of the prompt '{}' stays the same when the answer '{}' follows; put a "
                        "space between them",
                        shortened(sample.prompt), shortened(sample.answer)));
      }
      ids.push_back(tokenizer.end());
      rows.push_back({std::move(ids), shared});
    }
    return rows;
  };
  constexpr size_t worth_a_thread = 1000;
  const size_t threads =
      std::clamp<size_t>(samples.size() / worth_a_thread, 1, std::max(1U, std::thread::hardware_concurrency()));
  const size_t each = (samples.size() + threads - 1) / threads;
  std::vector<std::future<std::vector<Row>>> parts;
  for (size_t begin = 0; begin < samples.size(); begin += each) {
    const auto part = samples.subspan(begin, std::min(each, samples.size() - begin));
    parts.push_back(std::async(threads > 1 ? std::launch::async : std::launch::deferred, encode, part));
  }
  Examples examples;
  size_t i = 0;
  for (auto& part : parts) {
    for (const Row& row : part.get()) examples.add(row.ids, row.answer, samples[i++].length);
  }
  return examples;
}

}  // namespace rfs

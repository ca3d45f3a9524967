#include "rfs/corpus/encoder.h"

#include <chrono>
#include <cstring>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/core/sha256.h"

namespace rfs {
namespace {

constexpr size_t batch_bytes = 1 << 18;

/// True if a text belongs to the validation split. Equal texts are always in the same split.
bool in_validation(std::string_view text, const CorpusPlan& plan) {
  const auto digest = Sha256().add(rfs::format("{} ", plan.seed)).add(text).digest();
  uint64_t number = 0;
  for (size_t i = 0; i < 8; ++i) number = number << 8 | digest[i];
  return static_cast<double>(number >> 11) * 0x1p-53 < plan.validation;
}

}  // namespace

DocumentEncoder::DocumentEncoder(const CorpusPlan& plan, const Tokenizer& tokenizer, const Place& from, int threads)
    : plan_(plan), tokenizer_(tokenizer), most_(4 * threads + 4) {
  threads_.emplace_back([this, from] { read(from); });
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

DocumentEncoder::~DocumentEncoder() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void DocumentEncoder::fail() {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
  stop_ = true;
  changed_.notify_all();
}

void DocumentEncoder::read(const Place& from) {
  try {
    Batch batch;
    size_t bytes = 0;
    bool keep_reading = true;
    DocumentReader(plan_, packed_read_).read(from, [&](SourceDocument&& document) {
      bytes += document.text.size();
      batch.documents.push_back(std::move(document));
      if (bytes < batch_bytes) return true;
      keep_reading = give(std::move(batch));
      batch = {};
      bytes = 0;
      return keep_reading;
    });
    if (!keep_reading || (!batch.documents.empty() && !give(std::move(batch)))) return;
    const std::lock_guard lock(mutex_);
    read_all_ = true;
    changed_.notify_all();
  } catch (...) {
    fail();
  }
}

bool DocumentEncoder::give(Batch&& batch) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stop_ || given_ - taken_ < most_; });
  if (stop_) return false;
  batch.number = given_++;
  waiting_.push_back(std::move(batch));
  changed_.notify_all();
  return true;
}

void DocumentEncoder::work() {
  try {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stop_ || read_all_ || !waiting_.empty(); });
      if (stop_ || waiting_.empty()) return;
      Batch batch = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      std::vector<EncodedDocument> encoded;
      encoded.reserve(batch.documents.size());
      for (auto& document : batch.documents) encoded.push_back(encode(std::move(document)));
      lock.lock();
      done_[batch.number] = std::move(encoded);
      changed_.notify_all();
    }
  } catch (...) {
    fail();
  }
}

EncodedDocument DocumentEncoder::encode(SourceDocument&& document) const {
  EncodedDocument encoded;
  encoded.after = document.after;
  const auto broken = [&](const std::string& why) {
    encoded.broken = one_line(rfs::format("{}: {}", document.name, why));
    return std::move(encoded);
  };
  std::string text = std::move(document.text);
  constexpr const char* blank = " \t\r\n\v\f";
  if (text.find_first_not_of(blank) == std::string::npos) return encoded;
  try {
    if (document.json) text = json_text(text, plan_.field);
    if (text.find_first_not_of(blank) == std::string::npos) return encoded;
    if (const size_t at = broken_utf8(text); at != std::string::npos) {
      return broken(rfs::format("not UTF-8: byte 0x{:02x} at offset {}", static_cast<unsigned char>(text[at]), at));
    }
    encoded.ids = tokenizer_.encode(text);
  } catch (const Error& error) {
    return broken(error.what());
  }
  encoded.ids.push_back(tokenizer_.end());
  encoded.bytes = std::ssize(text);
  encoded.validation = in_validation(text, plan_);
  return encoded;
}

std::vector<EncodedDocument> DocumentEncoder::next() {
  std::unique_lock lock(mutex_);
  const auto ready = [&] {
    return failure_ || (!done_.empty() && done_.begin()->first == taken_) || (read_all_ && taken_ == given_);
  };
  if (!changed_.wait_for(lock, std::chrono::milliseconds(100), ready)) return {};
  if (done_.empty() || done_.begin()->first != taken_) {
    if (failure_) std::rethrow_exception(failure_);
    ended_ = true;
    return {};
  }
  auto documents = std::move(done_.begin()->second);
  done_.erase(done_.begin());
  ++taken_;
  changed_.notify_all();
  return documents;
}

}  // namespace rfs

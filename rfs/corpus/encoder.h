#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "rfs/corpus/documents.h"
#include "rfs/text/tokenizer.h"

namespace rfs {

/// A document as ids.
struct EncodedDocument {
  std::vector<int32_t> ids;  ///< with the end token; none where it is left out
  int64_t bytes = 0;         ///< of its text
  bool validation = false;   ///< the split it belongs to
  std::string broken;        ///< why it is left out: "" where it has no text
  Place after;
};

/// Reads a plan's documents and makes ids of them on several threads, a few batches ahead of whoever takes them, in
/// order.
class DocumentEncoder {
 public:
  DocumentEncoder(const CorpusPlan& plan, const Tokenizer& tokenizer, const Place& from, int threads);
  ~DocumentEncoder();  ///< ends early where not all was taken

  /// The next documents: some, none where none came within a moment. Throws what reading threw.
  std::vector<EncodedDocument> next();
  bool ended() const { return ended_; }                 ///< there are no more
  int64_t packed_read() const { return packed_read_; }  ///< bytes of source files

 private:
  struct Batch {
    int64_t number = 0;
    std::vector<SourceDocument> documents;
  };
  void read(const Place& from);
  bool give(Batch&& batch);
  void work();
  EncodedDocument encode(SourceDocument&& document) const;
  void fail();

  const CorpusPlan& plan_;
  const Tokenizer& tokenizer_;
  const int64_t most_;  // batches on their way
  std::atomic<int64_t> packed_read_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> waiting_;
  std::map<int64_t, std::vector<EncodedDocument>> done_;
  int64_t given_ = 0, taken_ = 0;  // batches
  bool read_all_ = false, stop_ = false, ended_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace rfs

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

/// A tokenized document.
struct EncodedDocument {
  std::vector<int32_t> ids;  ///< including the end token; empty if the document is skipped
  int64_t bytes = 0;         ///< size of its text
  bool validation = false;   ///< the split it belongs to
  std::string broken;        ///< why it is skipped; "" if it has no text
  Place after;
};

/// Reads and tokenizes the documents of a plan on several threads, a few batches ahead of the consumer. Returns them in
/// order.
class DocumentEncoder {
 public:
  DocumentEncoder(const CorpusPlan& plan, const Tokenizer& tokenizer, const Place& from, int threads);
  ~DocumentEncoder();  ///< stops early if not all documents were taken

  /// The next documents; empty if none became ready within 100 ms. Rethrows errors of the reader and workers.
  std::vector<EncodedDocument> next();
  bool ended() const { return ended_; }                 ///< there are no more
  int64_t packed_read() const { return packed_read_; }  ///< bytes read from source files

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
  const int64_t most_;  // maximum number of batches in flight
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

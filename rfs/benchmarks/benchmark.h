#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "rfs/benchmarks/record.h"
#include "rfs/core/options.h"
#include "rfs/core/registry.h"

namespace rfs {

/// A question with its choices. Scoring measures a choice's text after its context and a space.
struct Document {
  std::vector<std::string> contexts;  ///< one for all choices, or one per choice
  std::vector<std::string> choices;   ///< without the leading space
  size_t gold = 0;                    ///< index of the right choice

  /// The context of a choice.
  const std::string& context(size_t choice) const { return contexts.size() == 1 ? contexts[0] : contexts[choice]; }
};

/// A multiple-choice test set with questions formatted as in lm-evaluation-harness. Reads the files published by the
/// authors, Hugging Face's version of them, and a short form with `gold`.
class Benchmark {
 public:
  static constexpr std::string_view family = "benchmark";
  virtual ~Benchmark() = default;

  virtual std::string title() const = 0;  ///< "ARC-Easy"
  /// Names of its file (or folder) in the data folder; the first one that exists is read.
  virtual std::vector<std::string> files() const = 0;
  virtual std::string published() const = 0;                  ///< where to get it, for messages
  virtual Document document(const Record& record) const = 0;  ///< the question in one record of the file
  /// True if a record belongs to the same document as the record before it; `joined` then builds the document from all.
  virtual bool continues(const Record& /*record*/, const Record& /*before*/) const { return false; }
  /// The document of several records.
  virtual Document joined(const std::vector<Record>& records) const { return document(records.front()); }

  /// True if it reports acc_norm, the accuracy by log-likelihood divided by the size of the choice.
  virtual bool normalised() const { return true; }
  /// True if a document's size counts only the tokens of its context, without the right choice.
  virtual bool sized_by_context() const { return false; }
};

/// Options that every benchmark has.
struct BenchmarkOptions : Options {
  Field<std::string> file{this, "file", "", "path of its file; empty: looked up by name in the data folder"};
  Field<int64_t> context_size{this, "context_size", 0,
                              "documents of at most this many tokens are in distribution (ID); 0: the median",
                              at_least<int64_t>(0)};
};

/// The path of the benchmark's file: `given` if not empty, else below `data`. If it is missing, throws an Error that
/// says where it is published.
std::filesystem::path benchmark_file(const Benchmark& benchmark, const std::string& name, const std::string& given,
                                     const std::filesystem::path& data);

/// Reads and checks its documents: contexts with text, at least two choices, no empty choice, and a right choice.
/// Throws an Error that names the line.
std::vector<Document> read_documents(const Benchmark& benchmark, const std::filesystem::path& file);

/// "0" to "count - 1".
std::vector<std::string> numbers(size_t count);
/// The record's `gold`, a number from 0 on.
inline size_t gold_of(const Record& record, size_t choices) {
  return record.index_of("gold", numbers(choices));
}

}  // namespace rfs

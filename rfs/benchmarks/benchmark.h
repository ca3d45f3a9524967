#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "rfs/benchmarks/record.h"
#include "rfs/core/options.h"
#include "rfs/core/registry.h"

namespace rfs {

/// A question with its choices: what is scored is a choice's text after its context and a space.
struct Document {
  std::vector<std::string> contexts;  ///< one for all choices, or one a choice
  std::vector<std::string> choices;   ///< without the space
  size_t gold = 0;                    ///< the right one

  const std::string& context(size_t choice) const { return contexts.size() == 1 ? contexts[0] : contexts[choice]; }
};

/// A multiple-choice test set, as lm-evaluation-harness puts its questions. Reads the files that its authors published,
/// the same as Hugging Face has it, and shorter ones that have `gold`.
class Benchmark {
 public:
  static constexpr std::string_view family = "benchmark";
  virtual ~Benchmark() = default;

  virtual std::string title() const = 0;  ///< "ARC-Easy"
  /// Names of its file (or folder) in a data folder; the first one that is there is read.
  virtual std::vector<std::string> files() const = 0;
  virtual std::string published() const = 0;  ///< where it is to be had, for messages
  virtual Document document(const Record& record) const = 0;
  /// Whether a record is a further part of the document of those before it; then `joined` makes it of all.
  virtual bool continues(const Record& /*record*/, const Record& /*before*/) const { return false; }
  virtual Document joined(const std::vector<Record>& records) const { return document(records.front()); }

  /// Whether accuracy by scores over the choices' sizes (acc_norm) is one of its metrics.
  virtual bool normalised() const { return true; }
  /// Whether a document's size is the tokens of its context alone, not of context and right choice.
  virtual bool sized_by_context() const { return false; }
};

/// Options that every benchmark has.
struct BenchmarkOptions : Options {
  Field<std::string> file{this, "file", "", "its file; empty: found in the data folder by its name"};
  Field<int64_t> context_size{this, "context_size", 0,
                              "documents of at most so many tokens are in distribution (ID); 0: the median",
                              at_least<int64_t>(0)};
};

/// Where the benchmark's file is: `given` if not empty, else below `data`. Throws Error that says where it is
/// published.
std::filesystem::path benchmark_file(const Benchmark& benchmark, const std::string& name, const std::string& given,
                                     const std::filesystem::path& data);

/// Its documents, checked: a context that is not blank, two choices or more, none of them empty, a right one among
/// them. Throws Error that names the line.
std::vector<Document> read_documents(const Benchmark& benchmark, const std::filesystem::path& file);

/// "0" to "count - 1".
std::vector<std::string> numbers(size_t count);
/// The record's `gold`, a number from 0 on.
inline size_t gold_of(const Record& record, size_t choices) {
  return record.place("gold", numbers(choices));
}

}  // namespace rfs

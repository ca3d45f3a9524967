#pragma once

#include "rfs/benchmarks/benchmark.h"
#include "rfs/eval/likelihood.h"
#include "rfs/eval/score_options.h"
#include "rfs/records/scores.h"

namespace rfs {

/// Documents as ids, with everything that is known before a model runs.
struct EncodedDocuments {
  std::vector<ScoredDocument> documents;    ///< without log-likelihoods
  std::vector<Continuation> continuations;  ///< ordered by document, then by choice
  /// Number of tokens of context and correct choice, or of only the context, as the benchmark says.
  std::vector<int64_t> sizes() const;
  /// Keeps only the first `count` documents.
  void keep(int64_t count);
};

/// `longest` is the maximum number of tokens that a model reads; longer contexts are truncated at the start. Throws
/// Error if a choice alone is longer. `progress(done, all)` counts documents and may throw to stop.
EncodedDocuments encode_documents(
    const Tokenizer& tokenizer, const Benchmark& benchmark, const std::vector<Document>& documents, int64_t longest,
    const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

/// The documents with the log-likelihoods of their choices.
std::vector<ScoredDocument> score_documents(
    const EvalContext& model, const EncodedDocuments& encoded, int64_t batch,
    const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

}  // namespace rfs

#pragma once

#include "rfs/benchmarks/benchmark.h"
#include "rfs/eval/likelihood.h"
#include "rfs/eval/score_options.h"
#include "rfs/records/scores.h"

namespace rfs {

/// Documents as ids, with all that is known before a model is asked.
struct EncodedDocuments {
  std::vector<ScoredDocument> documents;    ///< without log-likelihoods
  std::vector<Continuation> continuations;  ///< choice after choice, document after document
  /// Tokens of context and right choice, or of the context alone, as the benchmark says.
  std::vector<int64_t> sizes() const;
  /// The first `count` documents alone.
  void keep(int64_t count);
};

/// `longest` is the most tokens a model reads: longer contexts lose their first ones. Throws Error where a choice alone
/// is longer. `progress(done, all)` counts documents and may throw to stop.
EncodedDocuments encode_documents(
    const Tokenizer& tokenizer, const Benchmark& benchmark, const std::vector<Document>& documents, int64_t longest,
    const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

/// The documents with their choices' log-likelihoods.
std::vector<ScoredDocument> score_documents(
    const EvalContext& model, const EncodedDocuments& encoded, int64_t batch,
    const std::function<void(int64_t, int64_t)>& progress = [](int64_t, int64_t) {});

}  // namespace rfs

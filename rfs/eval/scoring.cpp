#include "rfs/eval/scoring.h"

#include <algorithm>

#include "rfs/core/error.h"
#include "rfs/core/format.h"
#include "rfs/text/unicode.h"

namespace rfs {

std::vector<int64_t> EncodedDocuments::sizes() const {
  std::vector<int64_t> sizes;
  for (const auto& document : documents) sizes.push_back(document.size);
  return sizes;
}

void EncodedDocuments::keep(int64_t count) {
  documents.resize(std::min(documents.size(), static_cast<size_t>(count)));
  size_t choices = 0;
  for (const auto& document : documents) choices += document.tokens.size();
  continuations.resize(choices);
}

EncodedDocuments encode_documents(const Tokenizer& tokenizer, const Benchmark& benchmark,
                                  const std::vector<Document>& documents, int64_t longest,
                                  const std::function<void(int64_t, int64_t)>& progress) {
  EncodedDocuments encoded;
  for (size_t i = 0; i < documents.size(); ++i) {
    progress(static_cast<int64_t>(i), static_cast<int64_t>(documents.size()));
    const Document& document = documents[i];
    ScoredDocument scored;
    scored.gold = static_cast<int64_t>(document.gold);
    for (size_t choice = 0; choice < document.choices.size(); ++choice) {
      auto one = continuation(tokenizer, document.context(choice), " " + document.choices[choice]);
      const auto size = static_cast<int64_t>(one.tokens.size());
      one.sample = i;
      if (one.count < 1 || one.count > longest) {
        throw Error(rfs::format("document {}: a choice must have 1 to {} tokens, got {}", i + 1, longest, one.count));
      }
      if (choice == document.gold) scored.size = benchmark.sized_by_context() ? size - one.count : size;
      scored.truncated = truncate(one, longest) || scored.truncated;
      scored.tokens.push_back(one.count);
      scored.code_points.push_back(code_points(document.choices[choice]));
      encoded.continuations.push_back(std::move(one));
    }
    encoded.documents.push_back(std::move(scored));
  }
  return encoded;
}

std::vector<ScoredDocument> score_documents(const EvalContext& model, const EncodedDocuments& encoded, int64_t batch,
                                            const std::function<void(int64_t, int64_t)>& progress) {
  const auto sums = log_likelihoods(model, encoded.continuations, batch, progress);
  auto documents = encoded.documents;
  auto next = sums.begin();
  for (auto& document : documents) {
    const auto last = next + static_cast<std::ptrdiff_t>(document.tokens.size());
    document.log_likelihoods.assign(next, last);
    next = last;
  }
  return documents;
}

}  // namespace rfs
